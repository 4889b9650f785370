/** Operations on the bridge itself: probes, metrics, status. */
import type { SERVICE } from '../../../contract/api/service.ts';
import type { Provisioning } from '../../../contract/provisioning.ts';
import type { BridgeStatus } from '../../../contract/status.ts';
import type { Handlers } from '../http/serve.ts';
import { FAILURE_TEXTS, StoreUnavailable } from '../storage/storeError.ts';
import type { StoreState } from '../storage/storeState.ts';

export interface StatusDeps {
  version: string;
  state: Pick<StoreState, 'failure' | 'has'>;
  metrics: { render(): Promise<{ contentType: string; text: string }> };
  provisioning: () => Promise<Provisioning>;
  status: () => Promise<BridgeStatus>;
}

/** Operations of other files. */
type Others = 'listAudit' | 'openapi' | 'schema';

export const statusHandlers = ({
  version,
  state,
  metrics,
  provisioning,
  status,
}: StatusDeps): Handlers<Omit<typeof SERVICE, Others>> => ({
  health() {
    if (state.has('writer_stopped')) {
      throw new StoreUnavailable(FAILURE_TEXTS.writer_stopped, 'writer_stopped');
    }
    return { status: 'ok' };
  },
  ready() {
    const { failure } = state;
    if (failure) {
      throw new StoreUnavailable(failure.text, failure.reason, failure.cause);
    }
    return { status: 'ready', version };
  },
  async metrics({ res }) {
    const { contentType, text } = await metrics.render();
    res.set('Content-Type', contentType).send(text);
  },
  getProvisioning: () => provisioning(),
  status: () => status(),
});
