/** Inhibition rules, and the dependencies that become such rules. */
import { MAINTENANCE } from '../../../contract/api/maintenance.ts';
import { type InhibitRule, suppressionsSchema } from '../../../contract/suppression.ts';
import { messageOf } from '../../delivery/channels/match.ts';
import { compileCovers, ruleId, rulesOf } from '../../delivery/suppression/rules.ts';
import { type Kind, listed, type Place, textChange } from './kind.ts';

export const inhibitRules: Kind<'inhibit_rules', InhibitRule, InhibitRule, InhibitRule> = {
  name: 'inhibition rule',
  member: 'inhibit_rules',
  entries: (file) => [
    ...listed('inhibit_rules', file.inhibit_rules),
    ...(file.dependencies ?? []).flatMap((dependency, index) =>
      rulesOf(dependency).map((entry): Place<InhibitRule> => ({ path: ['dependencies', index], entry }))
    ),
  ],
  validate(entry, { at }) {
    const base = { rule: 'matchers', verdict: 'error', title: 'Invalid matchers' } as const;
    return (['source_matchers', 'target_matchers'] as const).flatMap((member) => {
      const detail = messageOf(() => compileCovers(...entry[member]));
      return detail === undefined ? [] : [at([member], { ...base, detail })];
    });
  },
  owners: ({ suppression }) => ({ files: suppression.files(), of: () => undefined }),
  stored: (wanted) => wanted,
  applied: ({ suppression }) => suppression.load(),
  dryRun: {
    async inUse(get) {
      const { rules } = await get(MAINTENANCE.listMaintenance, suppressionsSchema);
      return rules.map(({ file, ...value }) => ({ key: ruleId(value), name: textOf(value), file, value }));
    },
    key: (wanted) => ruleId(wanted),
    nameOf: (wanted) => textOf(wanted),
    difference: (wanted, before, { file }) => textChange(wanted, before, file, textOf),
    removal: () => 'no longer',
  },
};

const textOf = ({ source_matchers, target_matchers, equal = [] }: InhibitRule): string =>
  `${source_matchers.join(', ')} inhibits ${target_matchers.join(', ')}${equal.length > 0 ? `, equal ${equal.join(', ')}` : ''}`;
