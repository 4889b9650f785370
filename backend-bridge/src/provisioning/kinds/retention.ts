/** Retention: at most one policy for all files. */
import { RETENTION } from '../../../contract/api/retention.ts';
import { z } from 'zod';
import { type RetentionPolicy, retentionPolicySchema } from '../../../contract/retention.ts';
import { type Kind, settingChange } from './kind.ts';

const KEY = 'notifications';
const responseSchema = z.object({ policy: retentionPolicySchema, file: z.string().optional() });

export const retention: Kind<'retention', RetentionPolicy, RetentionPolicy, RetentionPolicy> = {
  name: 'retention',
  member: 'retention',
  rank: 2,
  entries: (file) => (file.retention ? [{ path: ['retention'], entry: file.retention }] : []),
  claim: () => ({ key: KEY, label: 'Retention' }),
  async owners({ retentionFile }) {
    const file = await retentionFile();
    return { files: file === undefined ? [] : [file], of: () => file };
  },
  stored: (wanted) => wanted,
  dryRun: {
    async inUse(get) {
      const { policy, file } = await get(RETENTION.getRetention, responseSchema);
      return [{ key: KEY, file, value: policy }];
    },
    key: () => KEY,
    difference(wanted, before, { file }) {
      const owner = before?.file;
      const texts = [textOf(before?.value ?? {}), textOf(wanted)] as const;
      return settingChange(texts, { isSet: owner !== undefined, owner, file, done: 'set' });
    },
    removal: ({ value }) => `no longer ${textOf(value)}`,
  },
};

/** `rules [{"olderThan":"90d"}], maxBytes 5GB` */
function textOf({ rules = [], ...limits }: RetentionPolicy): string {
  const all = [
    ...(rules.length === 0 ? [] : [`rules ${JSON.stringify(rules)}`]),
    ...Object.entries(limits).map(([name, value]) => `${name} ${value}`),
  ];
  return all.length === 0 ? 'off' : all.join(', ');
}
