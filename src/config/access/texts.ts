/** Texts of tokens. */
import type { Token } from '@nodebell/contract/token.ts';
import { absoluteTime, dateAndTime } from '../../components/moments';
import { t } from '../../i18n/t';

type Previous = NonNullable<Token['previous']>;

/** Whether the token before the last rotation is still valid. */
export const isInGrace = (previous: Token['previous']): previous is Previous =>
  previous !== null && (previous.validUntil === null || Date.parse(previous.validUntil) > Date.now());

/** When and from where a token was last used. */
export const lastUseText = ({ lastUsedAt, lastUsedFrom }: Pick<Previous, 'lastUsedAt' | 'lastUsedFrom'>): string =>
  lastUsedAt === null
    ? t('config.tokens.never-used', 'Not used')
    : lastUsedFrom === null
      ? t('config.tokens.used', 'Last used {{date}}', { date: absoluteTime(lastUsedAt) })
      : t('config.tokens.used-from', 'Last used {{date}} from {{address}}', {
          date: absoluteTime(lastUsedAt),
          address: lastUsedFrom,
        });

/** "Old token valid until …. Last used … from …" */
export function oldTokenText(previous: Previous): string {
  const end =
    previous.validUntil === null
      ? t('config.tokens.old', 'Old token valid until its file no longer names it.')
      : t('config.tokens.old-until', 'Old token valid until {{date}}.', { date: dateAndTime(previous.validUntil) });
  return `${end} ${lastUseText(previous)}`;
}
