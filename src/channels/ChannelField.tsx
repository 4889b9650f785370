import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { Combobox, Input, MultiCombobox, SecretInput, TextArea, useStyles2 } from '@grafana/ui';
import type { ChannelField as Described } from '@nodebell/contract/channelTypes/descriptor.ts';
import { DESCRIPTORS } from '@nodebell/contract/channelTypes/index.ts';
import { FormField } from '../components/TextField';
import { t } from '../i18n/t';
import { ChatFinder } from './ChatFinder';
import type { Draft } from './draft';
import { TemplatePreview } from './TemplatePreview';

interface Props {
  draft: Draft;
  /** Name of the field in the descriptor. */
  name: string;
  field: Described;
  /** Undefined: it is valid. */
  mistake: string | undefined;
  onChange: (draft: Draft) => void;
}

/** A field of a channel. What is stored and not read back can be replaced, not seen. */
export function ChannelField(props: Props) {
  const { draft, name, field, mistake, onChange } = props;
  const set = (text: string) => onChange({ ...draft, values: { ...draft.values, [name]: text } });
  return (
    <div>
      <FormField
        label={field.label(t)}
        required={field.required === true}
        description={field.help?.(t, DESCRIPTORS[draft.type])}
        error={mistake}
      >
        {control(props, set)}
      </FormField>
      {field.element === 'chat' && <ChatFinder draft={draft} onChoose={set} />}
      {name === 'bodyTemplate' && <TemplatePreview draft={draft} />}
    </div>
  );
}

function control({ draft, name, field: { hidden, element, options }, onChange }: Props, set: (text: string) => void) {
  const { values, kept } = draft;
  const id = `nodebell-channel-${name}`;
  const value = values[name] ?? '';
  const isKept = kept.includes(name);
  if (hidden === 'secret' || (hidden && isKept)) {
    return (
      <SecretInput
        id={id}
        autoComplete="new-password"
        isConfigured={isKept}
        value={value}
        onReset={() => onChange({ ...draft, kept: kept.filter((one) => one !== name) })}
        onChange={({ currentTarget }) => set(currentTarget.value)}
      />
    );
  }
  if (element === 'select' && options) {
    const [first, ...others] = options(t);
    return (
      <Combobox
        id={id}
        options={[first!, ...others]}
        value={value || first!.value}
        onChange={(option) => set(option.value)}
      />
    );
  }
  if (element === 'choices' && options) {
    return (
      <MultiCombobox
        id={id}
        options={options(t)}
        value={value.split(/,\s*/).filter((one) => one !== '')}
        onChange={(chosen) => set(chosen.map((one) => one.value).join(', '))}
      />
    );
  }
  if (element === 'template') {
    return <TemplateArea id={id} value={value} onChange={set} />;
  }
  return <Input id={id} autoComplete="off" value={value} onChange={({ currentTarget }) => set(currentTarget.value)} />;
}

interface TemplateProps {
  id: string;
  value: string;
  onChange: (text: string) => void;
}

function TemplateArea({ id, value, onChange }: TemplateProps) {
  const className = useStyles2(getStyles);
  return (
    <TextArea
      id={id}
      rows={2}
      spellCheck={false}
      className={className}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}

const getStyles = (theme: GrafanaTheme2) => css({ fontFamily: theme.typography.fontFamilyMonospace });
