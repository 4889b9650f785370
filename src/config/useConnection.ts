import { useCallback, useEffect, useRef, useState } from 'react';
import type { BridgeStatus } from '@nodebell/contract/status.ts';
import { readAddress } from './address';
import { diagnose, type Diagnosis } from './diagnosis';
import { testConnection } from './testConnection';

interface Result {
  diagnosis: Diagnosis;
  /** Of the bridge, where it answered. */
  status?: BridgeStatus;
}

/** Tests the connection when the page opens and when asked to. */
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
    // An answer about what was saved before says nothing of what is saved now.
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
