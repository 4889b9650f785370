import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { Alert, Box, Text, useStyles2 } from '@grafana/ui';
import { useMutation } from '@tanstack/react-query';
import type { TemplatePreview as Preview, TemplatePreviewBody } from '@nodebell/contract/channelChange.ts';
import { COMMON_FIELDS, TEMPLATES } from '@nodebell/contract/channelTypes/common.ts';
import { previewTemplates } from '../api/channels';
import type { BridgeError } from '../api/errors';
import { explain } from '../api/queryClient';
import { SecondaryText } from '../components/SecondaryText';
import { t } from '../i18n/t';
import type { Draft } from './draft';
import { SmallButton } from '../components/SmallButton';

const templatesOf = ({ values }: Draft): TemplatePreviewBody =>
  Object.fromEntries(TEMPLATES.flatMap((key) => (values[key]?.trim() ? [[key, values[key].trim()]] : [])));

/** Shows the newest notification by the templates of the form. Hidden once they change. */
export function TemplatePreview({ draft }: { draft: Draft }) {
  const templates = templatesOf(draft);
  const preview = useMutation({ mutationFn: previewTemplates, meta: { quiet: true } });
  const { data, error, isPending, variables } = preview;
  const isCurrent = !isPending && TEMPLATES.every((key) => variables?.[key] === templates[key]);
  return (
    <Box display="flex" direction="column" alignItems="stretch" gap={1} marginTop={2}>
      <div>
        <SmallButton icon="eye" pending={isPending} onClick={() => preview.mutate(templates)}>
          {isPending ? t('channels.preview.loading', 'Loading preview…') : t('channels.preview.show', 'Preview')}
        </SmallButton>
      </div>
      {isCurrent && error && <Failure error={error} />}
      {isCurrent && data && <Shown preview={data} />}
    </Box>
  );
}

function Failure({ error }: { error: BridgeError }) {
  const errors = (error.problem?.errors ?? []).flatMap(({ pointer, detail }) => {
    const key = TEMPLATES.find((one) => pointer === `/${one}`);
    return key === undefined ? [] : { key, label: COMMON_FIELDS[key].label(t), detail };
  });
  return (
    <Alert severity="error" title={t('channels.preview.failed', 'Could not render the preview')}>
      {errors.length === 0
        ? explain(error)
        : errors.map(({ key, label, detail }) => <div key={key}>{`${label}: ${detail}`}</div>)}
    </Alert>
  );
}

function Shown({ preview: { title, text, notification, warning } }: { preview: Preview }) {
  const styles = useStyles2(getStyles);
  return (
    <>
      <div role="status" className={styles.message}>
        <Text weight="medium">{title}</Text>
        <div className={styles.text}>{text}</div>
        <SecondaryText>
          {notification === null
            ? t('channels.preview.example', 'An example, because the inbox is empty.')
            : t('channels.preview.newest', 'With the newest notification. Services may shorten it.')}
        </SecondaryText>
      </div>
      {warning !== undefined && (
        <Alert severity="warning" title={t('channels.preview.warning', 'A template failed')}>
          {warning}
        </Alert>
      )}
    </>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  message: css({
    display: 'flex',
    flexDirection: 'column',
    gap: theme.spacing(1),
    padding: theme.spacing(1.5),
    border: `1px solid ${theme.colors.border.weak}`,
    borderRadius: theme.shape.radius.default,
    background: theme.colors.background.secondary,
    overflowWrap: 'anywhere',
  }),
  text: css({ whiteSpace: 'pre-wrap', maxHeight: 240, overflowY: 'auto' }),
});
