/** Requests for the rules of Grafana, with the permissions of the user. */
import { z } from 'zod';
import { getDataSourceSrv } from '@grafana/runtime';
import { BridgeError, toBridgeError } from '../../api/errors';
import { requestGrafana } from '../../api/grafana';
import { maySeeExternalRules } from '../../api/permissions';
import { runQueries } from '../../api/queries';
import { t } from '../../i18n/t';
import { type ExternalRule, readExternal, type Ruler } from './external';
import {
  hasChanged,
  readRule,
  rulerRuleSchema,
  rulerSchema,
  rulesOf,
  sameContent,
  withValues,
  type Rule,
  type RuleThreshold,
  type RuleValues,
} from './rule';
import { readWeek, weekRequest, type Week } from './week';
import { urlSegment } from '@nodebell/contract/url.ts';

const RULER = '/api/ruler/grafana/api/v1';
const PROVISIONING = '/api/v1/provisioning/alert-rules';

/** A header without which Grafana would mark the rule as provisioned, and no longer let anybody edit it. */
const KEEP_EDITABLE = { 'X-Disable-Provenance': 'true' };

/** The rule has changed since it was loaded. Nothing was saved. */
export class RuleConflict extends BridgeError {
  readonly now: Rule;
  constructor(now: Rule) {
    super('refused', 'The rule has changed.', 409);
    this.name = 'RuleConflict';
    this.now = now;
  }
}

/** @throws BridgeError */
async function call(...request: Parameters<typeof requestGrafana>): Promise<unknown> {
  try {
    return (await requestGrafana(...request)).data;
  } catch (thrown) {
    throw toBridgeError(thrown);
  }
}

/** All rules of the folders that the user may see. */
export async function listRules(): Promise<Rule[]> {
  return rulesOf(rulerSchema.parse(await call(`${RULER}/rules`, 'GET')));
}

/** Data sources of which Grafana can list rules. */
const RULERS = ['prometheus', 'loki', 'grafana-amazonprometheus-datasource', 'grafana-azureprometheus-datasource'];

/** Data sources with rules, as far as the user may see them; without those whose alerts Grafana does not manage. */
export function listRulers(): Ruler[] {
  if (!maySeeExternalRules()) {
    return [];
  }
  // The replacement is still unstable, and missing in Grafana 12.
  // oxlint-disable-next-line typescript/no-deprecated
  const found = getDataSourceSrv().getList({ all: true, type: RULERS });
  return found
    .filter(({ jsonData }) => (jsonData as { manageAlerts?: boolean }).manageAlerts !== false)
    .map(({ uid, name }) => ({ uid, name }));
}

/**
 * The alert rules of a data source.
 * @throws BridgeError
 */
export async function listExternal({ uid }: Ruler): Promise<ExternalRule[]> {
  try {
    return readExternal(await call(`/api/prometheus/${urlSegment(uid)}/api/v1/rules`, 'GET'));
  } catch (error) {
    // It has no ruler.
    if (error instanceof BridgeError && error.status === 404) {
      return [];
    }
    throw error instanceof z.ZodError
      ? new BridgeError('unexpected', t('thresholds.rules.external.unexpected', 'This is not a list of rules.'))
      : error;
  }
}

const ruleUrl = ({ uid }: Pick<Rule, 'uid'>) => `${RULER}/rule/${urlSegment(uid)}`;

async function getRule(shown: Rule): Promise<Rule> {
  const ruler = rulerRuleSchema.parse(await call(ruleUrl(shown), 'GET'));
  return readRule(ruler, shown.folder, ruler.grafana_alert.rule_group ?? shown.group);
}

/** The versions that Grafana keeps of a rule, newest first. */
export async function listVersions(shown: Rule): Promise<Rule[]> {
  const versions = z.array(rulerRuleSchema).parse(await call(`${ruleUrl(shown)}/versions`, 'GET'));
  return versions
    .map((one) => readRule(one, shown.folder, one.grafana_alert.rule_group ?? shown.group))
    .sort((a, b) => b.version - a.version);
}

export interface SavedRule {
  rule: Rule;
  /** Another user saved the rule between our check and our write; the versions have both. */
  overtook: boolean;
}

const bodySchema = z.looseObject({ updated: z.string(), data: z.unknown() });

/**
 * Saves values of a rule, and nothing else. Grafana's API has no condition on the version in a request: it only rejects two writes
 * within its own transaction (409). So the version is compared before and after; see docs/decisions/0019-thresholds.md.
 * @param shown the rule that the user saw
 * @throws RuleConflict if the rule is another one by now; BridgeError
 */
export async function saveRule(shown: Rule, values: RuleValues): Promise<SavedRule> {
  const now = await getRule(shown);
  if (hasChanged(shown, now)) {
    throw new RuleConflict(now);
  }
  const url = `${PROVISIONING}/${urlSegment(shown.uid)}`;
  const body = bodySchema.parse(await call(url, 'GET'));
  if (body.updated !== now.updated) {
    throw new RuleConflict(await getRule(shown));
  }
  try {
    await call(url, 'PUT', withValues(body, values), KEEP_EDITABLE);
  } catch (error) {
    throw (error as BridgeError).status === 409 ? new RuleConflict(await getRule(shown)) : error;
  }
  const rule = await getRule(shown);
  const versions = rule.version > now.version + 1 ? await listVersions(shown) : [];
  return { rule, overtook: versions.some((one) => one.version > now.version && !sameContent(one, rule)) };
}

/**
 * The values of the last week, from the queries of the rule.
 * @throws BridgeError; Error of the data source
 */
export async function getWeek(rule: Rule, threshold: RuleThreshold): Promise<Week> {
  const now = Date.now();
  return readWeek(await runQueries(weekRequest(rule, threshold, now)), rule, threshold, now);
}
