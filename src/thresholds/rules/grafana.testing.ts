import type { BackendSrvRequest } from '@grafana/runtime';
import list from '../../../tests/fixtures/grafana-rules/list.json' with { type: 'json' };
import provisioned from '../../../tests/fixtures/grafana-rules/provisioned.json' with { type: 'json' };
import before from '../../../tests/fixtures/grafana-rules/rule.json' with { type: 'json' };
import versions from '../../../tests/fixtures/grafana-rules/versions.json' with { type: 'json' };

type Body = typeof provisioned.body;

/** Grafana with the recorded rules: a write increases the version. */
export class Grafana {
  params = [80];
  recovery = [70];
  version = 1;
  by = 'admin';
  readonly puts: BackendSrvRequest[] = [];
  week: unknown = undefined;
  versions: unknown = versions.body;
  respondToPut = () => {
    this.version += 1;
  };

  respond = (path: string, request: BackendSrvRequest): unknown => {
    if (path === '/api/ruler/grafana/api/v1/rules') {
      const [memory, ...others] = list.body.Nodes;
      return {
        ...list.body,
        Nodes: [{ ...memory, rules: [this.rule(), ...(memory?.rules.slice(1) ?? [])] }, ...others],
      };
    }
    if (path.endsWith('/rule/mem-high')) {
      return this.rule();
    }
    if (path.endsWith('/rule/mem-high/versions')) {
      return this.versions;
    }
    if (path.startsWith('/api/ds/')) {
      return this.week ?? weekOf([60, 99, 60, 99, 60]);
    }
    if (request.method === 'PUT') {
      this.puts.push(request);
      this.params = (request.data as Body).data[2]?.model.conditions?.[0]?.evaluator.params ?? [];
      this.respondToPut();
      return request.data;
    }
    return this.with(provisioned.body);
  };

  rule() {
    const { grafana_alert: alert, ...rest } = this.with(before.body, before.body.grafana_alert.data);
    const updated_by = { uid: 'u', name: this.by };
    return { ...rest, grafana_alert: { ...alert, version: this.version, updated_by } };
  }

  with<T extends object>(body: T, data?: unknown): T {
    const copy = structuredClone(body);
    const queries = data ? (copy as typeof before.body).grafana_alert.data : (copy as unknown as Body).data;
    const condition = queries[2]?.model.conditions?.[0];
    condition?.evaluator.params.splice(0, 1, ...this.params);
    condition?.unloadEvaluator.params.splice(0, 1, ...this.recovery);
    return copy;
  }
}

/** A value every six hours. */
const weekOf = (values: number[]) => {
  const times = values.map((_, index) => Date.now() - (values.length - index) * 21_600_000);
  const fields = [
    { name: 'time', type: 'time' },
    { name: 'value', type: 'number', labels: {} },
  ];
  return { results: { B: { status: 200, frames: [{ schema: { fields }, data: { values: [times, values] } }] } } };
};
