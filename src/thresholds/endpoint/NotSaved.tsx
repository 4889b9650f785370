import { Button } from '@grafana/ui';
import { explain } from '../../bridge/queryClient';
import type { Failure } from '../useOptimistic';
import { Problem } from './Problem';

/** A change was taken back, since it could not be saved. */
export function NotSaved({ failure, stays }: { failure: Failure; stays?: string }) {
  return (
    <Problem>
      {`Not saved${stays === undefined ? '' : `, ${stays} stays`}: ${explain(failure.error)} `}
      <Button size="sm" variant="secondary" fill="text" icon="sync" onClick={failure.retry}>
        Try again
      </Button>
    </Problem>
  );
}
