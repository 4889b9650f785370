import { Box, Checkbox } from '@grafana/ui';
import { TextField } from '../../components/TextField';
import { t } from '../../i18n/t';
import type { Draft, Mistakes } from './draft';

interface Props {
  draft: Draft;
  mistakes: Mistakes;
  onChange: (part: Partial<Draft>) => void;
}

/** Limits for all notifications. */
export function LimitFields({ draft, mistakes, onChange }: Props) {
  const field = (member: 'maxNotifications' | 'maxBytes' | 'maxArchiveBytes', label: string, description: string) => (
    <TextField
      {...{ label, description }}
      id={`nodebell-retention-${member}`}
      width={30}
      placeholder={t('config.retention.no-limit', 'No limit')}
      value={draft[member]}
      error={mistakes[member]}
      onChange={(value) => onChange({ [member]: value })}
    />
  );
  return (
    <Box display="flex" direction="column" alignItems="flex-start" gap={2} marginTop={3}>
      {field(
        'maxNotifications',
        t('config.retention.max-count', 'Maximum number'),
        t('config.retention.max-help', 'Beyond it, the oldest notifications are removed')
      )}
      {field(
        'maxBytes',
        t('config.retention.max-size', 'Maximum size'),
        t('config.retention.max-size-help', 'Maximum estimated size in the database, such as 5GB')
      )}
      <Checkbox
        label={t('config.retention.archive-first', 'Archive before removal')}
        description={t('config.retention.archive-help', 'To the folder archive in the bridge’s data directory')}
        value={draft.archive}
        onChange={({ currentTarget }) => onChange({ archive: currentTarget.checked })}
      />
      {draft.archive &&
        field(
          'maxArchiveBytes',
          t('config.retention.max-archive', 'Maximum size of the archive'),
          t('config.retention.max-archive-help', 'Beyond it, the oldest files are deleted')
        )}
    </Box>
  );
}
