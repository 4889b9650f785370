import { Box, FilterInput, Stack, Text } from '@grafana/ui';
import type { ReactNode } from 'react';

interface Props {
  /** Accessible name. */
  label: string;
  placeholder: string;
  value: string;
  onChange: (value: string) => void;
  /** Number of results, such as "3 of 8 packages". */
  count: string;
  /** Further filters. */
  children?: ReactNode;
}

/** A search field, further filters, and the number of results. */
export const SearchBar = ({ label, placeholder, value, onChange, count, children }: Props) => (
  <Stack wrap alignItems="center" role="search" aria-label={label}>
    <Box flex="1 1 240px" minWidth={0} maxWidth={{ xs: '100%', md: '320px' }}>
      <FilterInput
        placeholder={placeholder}
        aria-label={placeholder}
        escapeRegex={false}
        value={value}
        onChange={onChange}
      />
    </Box>
    {children}
    <Stack grow={1} justifyContent="flex-end" role="status">
      <Text color="secondary" tabular>
        {count}
      </Text>
    </Stack>
  </Stack>
);
