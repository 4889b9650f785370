/** Members shared by both kinds of endpoints. */
import { validRange } from 'semver';
import { safeLink } from '../../../contract/text.ts';
import type { Mapping } from '../members.ts';
import { quoteValue } from '../source/messages.ts';
import { correlationIdSchema } from './schema.ts';
import type { CallToAction, EndpointRequirements, Metric } from './types.ts';

const PACKAGE_NAME = /\.(dnp|public)\.dappnode\.eth$/;
const OLD_ID = 'correlation-id';

/** `id` and `name` are absent if the endpoint is unusable. */
export function readShared(at: Mapping) {
  const id = correlationId(at);
  const [callTo, needs] = [callToAction(at), requirements(at)];
  return {
    id,
    name: at.text('name') ?? id,
    shared: {
      enabled: at.flag('enabled') ?? true,
      isBanner: at.flag('isBanner') ?? false,
      ...(callTo && { callToAction: callTo }),
      ...(needs && { requirements: needs }),
    },
  };
}

function correlationId(at: Mapping): string | undefined {
  const name = !at.get('correlationId') && at.get(OLD_ID) ? OLD_ID : 'correlationId';
  const id = at.text(name)?.trim();
  if (id === undefined || id === '') {
    const detail =
      'settings and notification threads are stored by correlationId. Set one that never changes, such as geth-peers.';
    at.add('correlation-id-missing', 'correlationId is missing', detail);
    return undefined;
  }
  if (name === OLD_ID) {
    const detail = 'Use correlationId, the only name that DAppNode supports.';
    at.add('correlation-id-format', `${name} is deprecated`, detail, name);
  }
  if (!correlationIdSchema.safeParse(id).success) {
    const detail = `Found ${quoteValue(id)}. Expected at least three letters, a hyphen, and letters, digits and hyphens, such as geth-peers.`;
    at.add('correlation-id-format', 'Invalid correlationId', detail, name);
  }
  return id;
}

/** The range of the slider; undefined if unusable. */
export function readRange(metric: Mapping): Metric | undefined {
  const [min, max, unit] = [metric.figure('min'), metric.figure('max'), metric.text('unit')];
  if (min === undefined || max === undefined) {
    const what = min !== undefined ? 'max' : max !== undefined ? 'min' : 'min and max';
    metric.add('metric-range', `metric has no ${what}`, 'The slider requires min and max.');
    return undefined;
  }
  if (min > max) {
    metric.add('metric-range', 'metric has min above max', `min is ${min}, max is ${max}. Swap them.`);
    return undefined;
  }
  if (min === max) {
    metric.add('metric-empty', 'metric has an empty range', `min and max are both ${min}.`);
  }
  return { min, max, ...(unit !== undefined && { unit }) };
}

/** The detail of a finding, if the threshold is out of range. */
export const outOfRange = ({ min, max }: Metric, value: number): string | undefined =>
  value < min || value > max
    ? `${value} is not between ${min} and ${max}. It is kept until the slider is moved.`
    : undefined;

function callToAction(at: Mapping): CallToAction | undefined {
  const call = at.mapping('callToAction');
  if (!call) {
    return undefined;
  }
  call.findUnknown(['title', 'url']);
  const [title, url] = [call.text('title'), call.text('url')];
  if (title === undefined || url === undefined) {
    const what = title === undefined ? 'title' : 'url';
    call.add('member-missing', `${what} is missing`, 'title and url are required. The link is ignored.');
    return undefined;
  }
  const safe = safeLink(url);
  if (safe === undefined) {
    const detail = `found ${quoteValue(url)}. Expected an http(s) URL or a path. The link is ignored.`;
    call.add('link-unsafe', 'Unsafe link', detail, 'url');
    return undefined;
  }
  return { title, url: safe };
}

function requirements(at: Mapping): EndpointRequirements | undefined {
  const needs = at.mapping('requirements');
  if (!needs) {
    return undefined;
  }
  needs.findUnknown(['pkgsInstalled', 'pkgsNotInstalled']);
  const installed = needs.mapping('pkgsInstalled', `${at.name}, pkgsInstalled`);
  const pkgsInstalled = installed?.texts() ?? {};
  for (const [name, range] of Object.entries(pkgsInstalled)) {
    checkName(installed!, name, name);
    if (validRange(range) === null) {
      const advice = 'Expected a range such as >=1.2.3. An invalid range is never satisfied.';
      installed!.wrongValue(name, 'Invalid version range', advice);
    }
  }
  const pkgsNotInstalled = (needs.list('pkgsNotInstalled') ?? []).flatMap((node) =>
    node.kind === 'scalar' && typeof node.value === 'string' ? [node.value] : []
  );
  pkgsNotInstalled.forEach((name) => checkName(needs, 'pkgsNotInstalled', name));
  return { pkgsInstalled, pkgsNotInstalled };
}

function checkName(at: Mapping, member: string, name: string): void {
  if (!PACKAGE_NAME.test(name)) {
    const advice = `${quoteValue(name)} must end in .dnp.dappnode.eth or .public.dappnode.eth.`;
    at.wrongValue(member, 'Invalid package name', advice);
  }
}
