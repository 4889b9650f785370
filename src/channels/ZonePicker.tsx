import { Combobox } from '@grafana/ui';
import { useMemo } from 'react';

interface Props {
  id: string;
  value: string;
  onChange: (zone: string) => void;
}

/** Time zones of the IANA database. */
export function ZonePicker({ id, value, onChange }: Props) {
  const options = useMemo(
    () => [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone'), value])].map((zone) => ({ value: zone })),
    [value]
  );
  return <Combobox id={id} options={options} value={value} onChange={(option) => onChange(option.value)} />;
}
