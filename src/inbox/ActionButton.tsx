import { Button } from '@grafana/ui';
import type { Thread } from '@nodebell/contract/notification.ts';
import { type ActionId, ACTIONS, type Run, type Targets } from './actions';
import { AssignButton, SnoozeButton } from './RespondMenus';

interface Props {
  id: ActionId;
  targets: Targets;
  disabled: boolean;
  run: Run;
  /** The thread of the detail. Of selected rows, one that is loaded. */
  thread: Thread | undefined;
  /** For selected rows. */
  many?: boolean;
}

/** Runs an action of the table; snoozing and assigning first show a menu. */
export function ActionButton({ id, targets, disabled, run, thread, many = false }: Props) {
  const size = many ? 'sm' : 'md';
  if (id === 'snooze') {
    return (
      <SnoozeButton
        {...{ size, disabled }}
        own={thread?.unread !== undefined}
        snoozed={thread?.snoozed?.for}
        onSnooze={(until, whose) => run(id, targets, { until, whose })}
      />
    );
  }
  if (id === 'assign') {
    return (
      <AssignButton
        {...{ size, disabled }}
        assignee={many ? 'several' : thread?.assignee}
        onAssign={(assignee) => run(id, targets, assignee)}
      />
    );
  }
  const { label, hint, icon } = ACTIONS[id];
  const look =
    id === 'delete' ? ({ variant: 'destructive', fill: 'outline' } as const) : { variant: 'secondary' as const };
  return (
    <Button
      {...{ size, icon, disabled, ...look }}
      {...(hint && !many && { tooltip: hint() })}
      onClick={() => run(id, targets)}
    >
      {label()}
    </Button>
  );
}
