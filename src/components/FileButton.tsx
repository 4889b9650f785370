import { Button } from '@grafana/ui';
import { useRef } from 'react';

interface Props {
  /** What the field for the file is called, for those who do not see the button. */
  label: string;
  /** Endings of names and media types, as HTML's `accept` has them. */
  accept: string;
  /** What stands on the button. */
  children: string;
  disabled?: boolean;
  onFile: (file: File) => void;
}

/** A button that asks for a file. The same file can be chosen again. */
export function FileButton({ label, accept, children, disabled = false, onFile }: Props) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        accept={accept}
        hidden
        aria-label={label}
        onChange={({ currentTarget }) => {
          const file = currentTarget.files?.[0];
          currentTarget.value = '';
          if (file) {
            onFile(file);
          }
        }}
      />
      <Button variant="secondary" icon="upload" disabled={disabled} onClick={() => input.current?.click()}>
        {children}
      </Button>
    </>
  );
}
