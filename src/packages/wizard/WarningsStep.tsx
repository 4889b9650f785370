import { Alert, Stack } from '@grafana/ui';
import { AuthorsWords } from '../AuthorsWords';
import { changeWords, warningTitle } from '../changeWords';
import type { Wizard } from './useWizard';

/** What the author says before this very change, word for word. */
export function WarningsStep({ wizard }: { wizard: Wizard }) {
  const { preview } = wizard.draft;
  return (
    <Stack direction="column" gap={1} maxWidth={95}>
      {preview?.change && <p>{changeWords(preview.change)}</p>}
      {preview?.warnings.map((warning, index) => (
        <Alert key={index} severity="warning" role="note" title={warningTitle(warning)} bottomSpacing={0}>
          <AuthorsWords text={warning.message} />
        </Alert>
      ))}
    </Stack>
  );
}
