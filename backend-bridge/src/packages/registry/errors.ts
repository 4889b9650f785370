/** Problem documents of the package registry. */
import { LIMITS } from '../../../contract/limits.ts';
import type { Finding } from '../../../contract/finding.ts';
import type { PackageChange } from '../../../contract/package.ts';
import type { ProblemError } from '../../../contract/problem.ts';
import { show } from '../../../contract/text.ts';
import { HttpProblem, invalid, problemAt } from '../../platform/http/problem.ts';

/**
 * 400 with the findings of severity error, the first of them, as in any problem document. `POST /packages/preview` and
 * `nodebell validate` report all findings.
 * @param asText whether the file was sent as a string: line and column are given instead of a pointer into it
 */
export function refusedFiles(findings: readonly Finding[], asText: (file: Finding['file']) => boolean): HttpProblem {
  const errors = findings.filter(({ verdict }) => verdict === 'error').slice(0, LIMITS.countedErrors.value);
  return invalid(
    errors.map((finding): ProblemError => {
      const text = asText(finding.file);
      const where = text ? `${finding.file}, line ${finding.line}, column ${finding.column}: ` : '';
      return {
        pointer: `/${finding.file}${text ? '' : finding.pointer}`,
        found: finding.title,
        allowed: `a ${finding.file === 'manifest' ? 'manifest' : `${finding.file} file`} without errors`,
        detail: `${where}${finding.title}. ${finding.detail}`,
      };
    }),
    'the files of the package'
  );
}

/** 409: a downgrade, or other content of the same version, without `allowDowngrade`. */
export function refusedDowngrade({ kind, from = '', to }: PackageChange): HttpProblem {
  const found = kind === 'downgrade' ? `${to}, older than ${from}` : `${to} with other content`;
  const detail =
    kind === 'downgrade'
      ? `Version ${from} is registered; ${to} is older. To downgrade, send "allowDowngrade": true.`
      : `Version ${from} is registered with other content. Increase the version, or send "allowDowngrade": true to replace the content.`;
  return problemAt('conflict', { pointer: '/allowDowngrade', found, allowed: 'a newer version, or true', detail });
}

/** 409: the disclaimer has not been accepted. */
export function refusedDisclaimer(dnpName: string): HttpProblem {
  const detail = `${dnpName} has a disclaimer that must be accepted. Read it, then send "disclaimerAccepted": true.`;
  return problemAt('conflict', {
    pointer: '/disclaimerAccepted',
    found: 'disclaimer not accepted',
    allowed: 'true',
    detail,
  });
}

/** 409: provisioned packages are read-only. */
export function refusedProvisioned(dnpName: string, file: string): HttpProblem {
  return new HttpProblem(
    'conflict',
    `${dnpName} is provisioned from the file ${show(file)} and cannot be changed here. Change the file instead.`
  );
}

export function alreadyRegistered(dnpName: string, version: string): HttpProblem {
  const detail = `${dnpName} is already registered in version ${version}. Use PUT /api/v1/packages/${dnpName} to update it.`;
  return problemAt('conflict', {
    pointer: '/manifest',
    found: show(dnpName),
    allowed: 'a package that is not registered',
    detail,
  });
}

export function notRegistered(dnpName: string): HttpProblem {
  return new HttpProblem(
    'not-found',
    `Package ${show(dnpName)} is not registered. GET /api/v1/packages lists the registered packages.`
  );
}

export function otherName(path: string, found: string): HttpProblem {
  const detail = `The name in the manifest is ${show(found)}, but the path names ${show(path)}.`;
  return invalid([{ pointer: '/manifest', found: show(found), allowed: show(path), detail }]);
}

export function changedMeanwhile(dnpName: string): HttpProblem {
  return new HttpProblem('conflict', `${dnpName} was changed concurrently. Reload it and try again.`);
}
