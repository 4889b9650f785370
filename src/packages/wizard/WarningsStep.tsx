import { Alert, Stack } from '@grafana/ui';
import { AuthorMarkdown } from '../AuthorMarkdown';
import { changeMessage, warningTitle } from '../changeMessages';
import type { Wizard } from './useWizard';

/** The author's warnings for this change, verbatim. */
export function WarningsStep({ wizard }: { wizard: Wizard }) {
  const { preview } = wizard.draft;
  return (
    <Stack direction="column" gap={1} maxWidth={95}>
      {preview?.change && <p>{changeMessage(preview.change)}</p>}
      {preview?.warnings.map((warning, index) => (
        <Alert key={index} severity="warning" role="note" title={warningTitle(warning)} bottomSpacing={0}>
          <AuthorMarkdown text={warning.message} />
        </Alert>
      ))}
    </Stack>
  );
}
