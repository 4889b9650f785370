/** Why a registration is refused, in the words of a problem document. */
import { LIMITS } from '../../contract/limits.ts';
import type { Finding } from '../../contract/finding.ts';
import type { PackageChange } from '../../contract/package.ts';
import type { ProblemError } from '../../contract/problem.ts';
import { show } from '../../contract/text.ts';
import { HttpProblem, invalid } from '../http/problem.ts';

/**
 * 400 with the findings that are errors: the first of them, as in any problem document. All findings of the same files are in
 * the response of POST /packages/preview, and `nodebell validate` prints them.
 * @param asText whether the file came as text: then the pointer cannot lead into it, and line and column are given instead
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

/** 409: an older version, or other content, that nobody has said is meant. */
export function refusedDowngrade({ kind, from = '', to }: PackageChange): HttpProblem {
  const found = kind === 'downgrade' ? `${to}, which is older than ${from}` : `${to} with other content`;
  const detail =
    kind === 'downgrade'
      ? `Version ${from} is registered; ${to} is older. If the downgrade is meant, send "allowDowngrade": true.`
      : `Version ${from} is registered with other content. Give the new content a version of its own, or, if the same version is meant, send "allowDowngrade": true.`;
  return new HttpProblem('conflict', detail, {
    errors: [{ pointer: '/allowDowngrade', found, allowed: 'a newer version, or true', detail }],
  });
}

/** 409: the author wants the disclaimer approved first. */
export function refusedDisclaimer(dnpName: string): HttpProblem {
  const detail = `${dnpName} has a disclaimer that must be approved first. Show its text, and send "disclaimerAccepted": true when it is approved.`;
  return new HttpProblem('conflict', detail, {
    errors: [{ pointer: '/disclaimerAccepted', found: 'no approval of this text', allowed: 'true', detail }],
  });
}

/** 409: changed only where it comes from. */
export function refusedProvisioned(dnpName: string, file: string): HttpProblem {
  return new HttpProblem(
    'conflict',
    `${dnpName} is provisioned by the file ${show(file)}. Change that file instead; it cannot be changed here.`
  );
}

export function alreadyRegistered(dnpName: string, version: string): HttpProblem {
  const detail = `${dnpName} is registered already, in version ${version}. PUT /api/v1/packages/${dnpName} updates it.`;
  return new HttpProblem('conflict', detail, {
    errors: [{ pointer: '/manifest', found: show(dnpName), allowed: 'a package that is not registered', detail }],
  });
}

export function notRegistered(dnpName: string): HttpProblem {
  return new HttpProblem(
    'not-found',
    `There is no package ${show(dnpName)}. GET /api/v1/packages lists those that are registered.`
  );
}

export function otherName(path: string, found: string): HttpProblem {
  const detail = `The manifest is one of ${show(found)}, the path names ${show(path)}. They must be the same.`;
  return invalid([{ pointer: '/manifest', found: show(found), allowed: show(path), detail }]);
}

export function changedMeanwhile(dnpName: string): HttpProblem {
  return new HttpProblem(
    'conflict',
    `${dnpName} was changed by somebody else at the same moment. Look at it and try again.`
  );
}
