import { css } from '@emotion/css';
import { AppEvents, type EventBusSrv, type GrafanaTheme2 } from '@grafana/data';
import { Alert, type AlertVariant, useStyles2 } from '@grafana/ui';
import { isValidElement, type ReactNode, useCallback, useEffect, useState } from 'react';

interface Toast {
  id: number;
  severity: AlertVariant;
  title: string;
  text?: ReactNode;
}

const EVENTS = [
  ['success', AppEvents.alertSuccess, 3000],
  ['info', AppEvents.alertInfo, 3000],
  ['warning', AppEvents.alertWarning, 5000],
  ['error', AppEvents.alertError, 7000],
] as const;

let nextId = 0;

function toText(part: unknown): string {
  const value = part instanceof Error ? part.message : part;
  return typeof value === 'string' ? value : JSON.stringify(value ?? '');
}

function toToast(severity: AlertVariant, payload: unknown): Toast {
  // The third is the id of a trace; the fourth, which is not in Grafana's types, stands in place of the text.
  const [title, text, , element]: unknown[] = Array.isArray(payload) ? payload : [payload];
  const shown = isValidElement(element) ? element : text === undefined ? undefined : toText(text);
  return { id: nextId++, severity, title: toText(title), ...(shown !== undefined && { text: shown }) };
}

/** Shows published application events as toasts, at the top right, as long as Grafana does. */
export function Toasts({ events }: { events: EventBusSrv }) {
  const styles = useStyles2(getStyles);
  const [toasts, setToasts] = useState<Toast[]>([]);
  const remove = useCallback((id: number) => setToasts((all) => all.filter((toast) => toast.id !== id)), []);

  useEffect(() => {
    const listeners = EVENTS.map(([severity, event, time]) => {
      const listen = (payload: unknown) => {
        const toast = toToast(severity, payload);
        setToasts((all) => [toast, ...all]);
        setTimeout(() => remove(toast.id), time);
      };
      events.on(event, listen);
      return () => events.off(event, listen);
    });
    return () => listeners.forEach((stop) => stop());
  }, [events, remove]);

  return (
    <div className={styles.list} data-testid="toasts">
      {toasts.map(({ id, severity, title, text }) => (
        <Alert key={id} severity={severity} title={title} elevated onRemove={() => remove(id)}>
          {text}
        </Alert>
      ))}
    </div>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  list: css({
    position: 'fixed',
    zIndex: theme.zIndex.portal,
    top: theme.spacing(6),
    right: theme.spacing(2),
    width: `min(400px, calc(100vw - ${theme.spacing(4)}))`,
  }),
});
