import { Combobox, Field, Input, SecretInput } from '@grafana/ui';
import { writeOnly } from '@nodebell/contract/channelChange.ts';
import type { ReactNode } from 'react';
import { t } from '../i18n/t';
import { type Draft, isRequired, type Member } from './draft';
import { memberHelp, memberLabel } from './texts';

interface Props {
  draft: Draft;
  member: Member;
  /** Undefined: it is valid. */
  mistake: string | undefined;
  onChange: (draft: Draft) => void;
  /** Below the field. */
  children?: ReactNode;
}

const tlsModes = () => [
  { value: 'starttls', label: t('channels.tls.starttls', 'STARTTLS') },
  { value: 'implicit', label: t('channels.tls.implicit', 'TLS') },
  { value: 'none', label: t('channels.tls.none', 'None') },
];

/** A member of a channel. What is stored and not read back can be replaced, not seen. */
export function MemberField({ draft, member, mistake, onChange, children }: Props) {
  const { type, values, kept } = draft;
  const id = `nodebell-channel-${member}`;
  const value = values[member] ?? '';
  const set = (text: string) => onChange({ ...draft, values: { ...values, [member]: text } });
  const isHidden = writeOnly(type).some((one) => one === member);
  const isKept = kept.includes(member);
  const control =
    isHidden && (isKept || !['url', 'topic'].includes(member)) ? (
      <SecretInput
        id={id}
        autoComplete="new-password"
        isConfigured={isKept}
        value={value}
        onReset={() => onChange({ ...draft, kept: kept.filter((one) => one !== member) })}
        onChange={({ currentTarget }) => set(currentTarget.value)}
      />
    ) : member === 'tls' ? (
      <Combobox id={id} options={tlsModes()} value={value || 'starttls'} onChange={(option) => set(option.value)} />
    ) : (
      <Input id={id} autoComplete="off" value={value} onChange={({ currentTarget }) => set(currentTarget.value)} />
    );
  const help = memberHelp(type, member);
  return (
    <div>
      <Field
        label={memberLabel(type, member)}
        required={isRequired(type, member)}
        {...(help !== undefined && { description: help })}
        invalid={mistake !== undefined}
        error={mistake}
        noMargin
      >
        {control}
      </Field>
      {children}
    </div>
  );
}
