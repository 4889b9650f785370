import { Field, Input } from '@grafana/ui';

interface Props {
  id: string;
  label: string;
  description?: string;
  type?: string;
  value: string;
  error: string | undefined;
  onChange: (value: string) => void;
}

/** An input with its label and error. */
export const TextField = ({ id, label, description, type, value, error, onChange }: Props) => (
  <Field label={label} description={description} invalid={error !== undefined} error={error} noMargin>
    <Input id={id} type={type} value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)} />
  </Field>
);
