import { Button, type ButtonProps } from '@grafana/ui';
import { useRef } from 'react';

interface Props extends Pick<ButtonProps, 'size' | 'fill' | 'disabled'> {
  /** Accessible name of the file input. */
  label: string;
  /** File extensions and media types, as in HTML's `accept`. */
  accept: string;
  multiple?: boolean;
  /** @param files at least one; without `multiple`, only one */
  onFiles: (files: [File, ...File[]]) => void;
  /** Label of the button. */
  children: string;
}

/** A button to select files. The same file can be selected again. */
export function FileButton({ label, accept, multiple = false, onFiles, ...button }: Props) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        accept={accept}
        multiple={multiple}
        hidden
        aria-label={label}
        onChange={({ currentTarget }) => {
          const [first, ...others] = currentTarget.files ?? [];
          currentTarget.value = '';
          if (first) {
            onFiles([first, ...others]);
          }
        }}
      />
      <Button variant="secondary" icon="upload" {...button} onClick={() => input.current?.click()} />
    </>
  );
}
