import { Alert, Button } from '@grafana/ui';
import { BridgeError } from '../api/errors';
import { explain, explainChange } from '../api/queryClient';
import { t } from '../i18n/t';
import { AlertWithAction } from './AlertWithAction';

interface Props {
  title: string;
  /** Nothing is shown without one. */
  error: Error | null | undefined;
  /** It is the error of a change: without a response nobody knows whether it was made. */
  ofChange?: boolean;
  onRetry?: () => void;
}

/** Why something failed. */
export function Failure({ title, error, ofChange = false, onRetry }: Props) {
  if (!error) {
    return null;
  }
  const text = error instanceof BridgeError ? (ofChange ? explainChange : explain)(error) : error.message;
  const retry = onRetry && (
    <Button variant="secondary" onClick={onRetry}>
      {t('config.access.retry', 'Retry')}
    </Button>
  );
  return retry ? (
    <AlertWithAction severity="error" title={title} action={retry}>
      {text}
    </AlertWithAction>
  ) : (
    <Alert severity="error" title={title}>
      {text}
    </Alert>
  );
}
