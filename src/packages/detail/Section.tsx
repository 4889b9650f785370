import { Box, Stack, Text } from '@grafana/ui';
import { useId, type ReactElement, type ReactNode } from 'react';
import { SecondaryText } from '../../components/SecondaryText';

/** A titled section with an optional empty state. */
export function Section({ title, empty, children }: { title: string; empty?: string | false; children?: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <Box marginBottom={1}>
        <Text element="h2" variant="h5" id={id}>
          {title}
        </Text>
      </Box>
      {empty ? (
        <Text element="p" color="secondary">
          {empty}
        </Text>
      ) : (
        children
      )}
    </section>
  );
}

interface LineProps {
  title: string;
  text?: string | ReactElement | undefined;
  end?: string | undefined;
}

/** An item of a divided list with a title on the left and a location on the right. */
export const Line = ({ title, text, end }: LineProps) => (
  <li>
    <Stack wrap alignItems="center" justifyContent="space-between" rowGap={0.5} columnGap={2}>
      <Stack direction="column" gap={0} flex="1 1 200px" minWidth={0} dir="auto">
        <span>{title}</span>
        {text !== undefined && <SecondaryText>{text}</SecondaryText>}
      </Stack>
      <Text color="secondary" tabular>
        {end ?? ''}
      </Text>
    </Stack>
  </li>
);
