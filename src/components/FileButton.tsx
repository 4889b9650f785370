import { Button } from '@grafana/ui';
import { useRef } from 'react';

interface Props {
  /** Accessible name of the file input. */
  label: string;
  /** File extensions and media types, as in HTML's `accept`. */
  accept: string;
  /** Label of the button. */
  children: string;
  disabled?: boolean;
  onFile: (file: File) => void;
}

/** A button to select a file. The same file can be selected again. */
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
