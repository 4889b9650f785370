import { css } from '@emotion/css';
import { Badge, Stack, Text } from '@grafana/ui';
import { may } from '../api/permissions';
import { List } from '../components/List';
import { inputOfMoment } from '../components/moments';
import { StateText } from '../components/StateText';
import { t } from '../i18n/t';
import { namesOf, spanText } from './texts';
import type { Piece } from './timeline';
import { SmallButton } from '../components/SmallButton';

interface Props {
  /** Not empty. */
  pieces: readonly Piece[];
  zone: string;
  /** Opens the form, with these query parameters. */
  onOverride: (span: object) => void;
}

/** The timeline in words. */
export function Shifts({ pieces, zone, onOverride }: Props) {
  return (
    <List divided>
      {pieces.map(({ from, to, people, isOverride }, index) => {
        const span = spanText({ from, to }, { start: pieces[0]!.from, end: pieces.at(-1)!.to }, zone);
        return (
          // The first begins now: by its time, it would be another one after each request, and lose the focus.
          <li key={index}>
            <Stack wrap alignItems="center" justifyContent="space-between" rowGap={0.5}>
              <div className={text}>
                <Stack wrap alignItems="center" columnGap={1} rowGap={0.5}>
                  <Text tabular>{span}</Text>
                  {people.length === 0 ? (
                    <StateText icon="exclamation-triangle" tone="warning" text={namesOf(people)} />
                  ) : (
                    <Text weight="medium">{namesOf(people)}</Text>
                  )}
                  {isOverride && <Badge color="green" icon="exchange-alt" text={t('on-call.override', 'Override')} />}
                </Stack>
              </div>
              {may('inbox:write') && (
                <SmallButton
                  fill="text"
                  aria-label={t('on-call.card.override-what', 'Override {{span}}', { span })}
                  onClick={() => onOverride({ from: inputOfMoment(from, zone), to: inputOfMoment(to, zone) })}
                >
                  {t('on-call.override', 'Override')}
                </SmallButton>
              )}
            </Stack>
          </li>
        );
      })}
    </List>
  );
}

const text = css({ flex: '1 1 200px', minWidth: 0, overflowWrap: 'anywhere' });
