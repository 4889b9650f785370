/** Members shared by both kinds of endpoints. */
import { validRange } from 'semver';
import { safeLink } from '../../../contract/text.ts';
import { quoteValue } from '../messages.ts';
import {
  figure,
  findUnknown,
  flag,
  listOf,
  mapOf,
  member,
  memberPointer,
  type Place,
  text,
  textsOf,
  wrongValue,
} from '../members.ts';
import type { CallToAction, EndpointRequirements, Metric } from './types.ts';

/** From DAppNode's own schema. */
const CORRELATION_ID = /^[a-zA-Z]{3,}-[a-zA-Z0-9-]+$/;
const PACKAGE_NAME = /\.(dnp|public)\.dappnode\.eth$/;

/** @returns the id under the first of these names that is present */
export function correlationId(place: Place, names: readonly string[]): string | undefined {
  const name = names.find((one) => member(place, one)) ?? 'correlationId';
  const id = text(place, name)?.trim();
  if (id === undefined || id === '') {
    const detail = `${place.name}: settings and notification threads are stored by correlationId. Set one that never changes, such as geth-peers.`;
    place.report.add('correlation-id-missing', place.pointer, place.map, 'correlationId is missing', detail);
    return undefined;
  }
  const at = member(place, name)?.node ?? place.map;
  const add = (title: string, detail: string): void =>
    place.report.add('correlation-id-format', memberPointer(place, name), at, title, `${place.name}: ${detail}`);
  if (name !== 'correlationId') {
    add(`${name} is deprecated`, 'Use correlationId, the only name that DAppNode supports.');
  }
  if (!CORRELATION_ID.test(id)) {
    add(
      'Invalid correlationId',
      `Found ${quoteValue(id)}. Expected at least three letters, a hyphen, and letters, digits and hyphens, such as geth-peers.`
    );
  }
  return id;
}

/** The range of the slider; undefined if unusable. */
export function readRange(metric: Place): Metric | undefined {
  const [min, max, unit] = [figure(metric, 'min'), figure(metric, 'max'), text(metric, 'unit')];
  const add = (title: string, detail: string): void =>
    metric.report.add('metric-range', metric.pointer, metric.map, title, `${metric.name}: ${detail}`);
  if (min === undefined || max === undefined) {
    const what = min !== undefined ? 'max' : max !== undefined ? 'min' : 'min and max';
    add(`metric has no ${what}`, 'The slider requires min and max.');
    return undefined;
  }
  if (min > max) {
    add('metric has min above max', `min is ${min}, max is ${max}. Swap them.`);
    return undefined;
  }
  if (min === max) {
    metric.report.add(
      'metric-empty',
      metric.pointer,
      metric.map,
      'metric has an empty range',
      `${metric.name}: min and max are both ${min}.`
    );
  }
  return { min, max, ...(unit !== undefined && { unit }) };
}

/** @param at JSON Pointer and position of the threshold */
export function checkThreshold(
  place: Place,
  metric: Metric,
  value: number,
  at: { pointer: string; node: { start: number; end: number } }
): void {
  if (value < metric.min || value > metric.max) {
    const detail = `${place.name}: ${value} is not between ${metric.min} and ${metric.max}. It is kept until the slider is moved.`;
    place.report.add('threshold-range', at.pointer, at.node, 'Threshold out of range', detail);
  }
}

export function isBanner(place: Place): boolean {
  return flag(place, 'isBanner') ?? false;
}

export function callToAction(place: Place): CallToAction | undefined {
  const call = mapOf(place, 'callToAction', `${place.name}, callToAction`);
  if (!call) {
    return undefined;
  }
  findUnknown(call, ['title', 'url']);
  const [title, url] = [text(call, 'title'), text(call, 'url')];
  if (title === undefined || url === undefined) {
    const what = title === undefined ? 'title' : 'url';
    const detail = `${call.name}: title and url are required. The link is ignored.`;
    place.report.add('member-missing', call.pointer, call.map, `${what} is missing`, detail);
    return undefined;
  }
  const safe = safeLink(url);
  if (safe === undefined) {
    const at = member(call, 'url')?.node ?? call.map;
    const detail = `${call.name}: found ${quoteValue(url)}. Expected an http(s) URL or a path. The link is ignored.`;
    place.report.add('link-unsafe', `${call.pointer}/url`, at, 'Unsafe link', detail);
    return undefined;
  }
  return { title, url: safe };
}

export function requirements(place: Place): EndpointRequirements | undefined {
  const needs = mapOf(place, 'requirements', `${place.name}, requirements`);
  if (!needs) {
    return undefined;
  }
  findUnknown(needs, ['pkgsInstalled', 'pkgsNotInstalled']);
  const installed = mapOf(needs, 'pkgsInstalled', `${place.name}, pkgsInstalled`);
  const pkgsInstalled = installed ? textsOf(installed) : {};
  for (const [name, range] of Object.entries(pkgsInstalled)) {
    if (installed) {
      checkName(installed, name, name);
      checkRange(installed, name, range);
    }
  }
  const pkgsNotInstalled = (listOf(needs, 'pkgsNotInstalled') ?? []).flatMap((node) =>
    node.kind === 'scalar' && typeof node.value === 'string' ? [node.value] : []
  );
  for (const name of pkgsNotInstalled) {
    checkName(needs, 'pkgsNotInstalled', name);
  }
  return { pkgsInstalled, pkgsNotInstalled };
}

function checkRange(place: Place, name: string, range: string): void {
  if (validRange(range) === null) {
    const advice = 'Expected a range such as >=1.2.3. An invalid range is never satisfied.';
    wrongValue(place, name, 'Invalid version range', advice);
  }
}

function checkName(place: Place, at: string, name: string): void {
  if (!PACKAGE_NAME.test(name)) {
    wrongValue(
      place,
      at,
      'Invalid package name',
      `${quoteValue(name)} must end in .dnp.dappnode.eth or .public.dappnode.eth.`
    );
  }
}
