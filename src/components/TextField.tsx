import { Field, Input } from '@grafana/ui';
import type { ComponentProps } from 'react';

type FieldProps = Omit<ComponentProps<typeof Field>, 'invalid' | 'noMargin' | 'ref'>;

/** A labelled control of a form, which is invalid when it has an error. */
export const FormField = (props: FieldProps) => <Field {...props} invalid={props.error !== undefined} noMargin />;

interface Props
  extends
    Omit<ComponentProps<typeof Input>, 'invalid' | 'label' | 'onChange' | 'ref'>,
    Pick<FieldProps, 'label' | 'description' | 'error' | 'validationMessageHorizontalOverflow'> {
  onChange: (value: string) => void;
}

/** An input with its label and error. */
export const TextField = ({
  label,
  description,
  error,
  required,
  validationMessageHorizontalOverflow,
  onChange,
  ...input
}: Props) => (
  <FormField {...{ label, description, error, required, validationMessageHorizontalOverflow }}>
    <Input {...input} onChange={({ currentTarget }) => onChange(currentTarget.value)} />
  </FormField>
);
