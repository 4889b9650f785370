import { useCallback, useEffect, useRef, useState } from 'react';
import type { BridgeStatus } from '@nodebell/contract/status.ts';
import { readAddress } from './address';
import { diagnose, type Diagnosis } from './diagnosis';
import { testConnection } from './testConnection';

interface Result {
  diagnosis: Diagnosis;
  /** Status of the bridge, if it responded. */
  status?: BridgeStatus;
}

/** Tests the connection on page load and on request. */
export function useConnection(saved: { bridgeUrl: string; tokenSet: boolean; version: string }) {
  const [result, setResult] = useState<Result>();
  const [testing, setTesting] = useState(false);
  const round = useRef(0);
  const test = useCallback(async ({ bridgeUrl, tokenSet, version }: typeof saved) => {
    const address = readAddress(bridgeUrl);
    if ('error' in address) {
      return;
    }
    const own = ++round.current;
    setTesting(true);
    const reply = await testConnection(address.url);
    // Ignore results of a test with outdated settings.
    if (own === round.current) {
      setResult({
        diagnosis: diagnose({ host: address.host, port: address.port, tokenSet, version, reply }),
        ...(reply.kind === 'status' && { status: reply.status }),
      });
      setTesting(false);
    }
  }, []);
  const first = useRef(saved);
  useEffect(() => {
    void test(first.current);
    return () => {
      round.current += 1;
    };
  }, [test]);
  return { result, testing, test };
}
