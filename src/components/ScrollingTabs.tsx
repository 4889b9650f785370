import { css } from '@emotion/css';
import { Tab, TabsBar, type TabProps } from '@grafana/ui';
import { useEffect, useRef } from 'react';

interface Props<Name extends string> {
  tabs: ReadonlyArray<{ name: Name; label: string; counter?: number | null | undefined; suffix?: TabProps['suffix'] }>;
  active: Name;
  onChange: (name: Name) => void;
}

/** Tabs that scroll on narrow screens, which those of Grafana do not; the active one stays in view. */
export function ScrollingTabs<Name extends string>({ tabs, active, onChange }: Props<Name>) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const tab = box.current?.querySelector<HTMLElement>('[aria-selected=true]');
    if (tab && box.current) {
      box.current.scrollTo({ left: tab.offsetLeft - box.current.clientWidth / 2 + tab.clientWidth / 2 });
    }
  }, [active]);
  return (
    <div ref={box} className={scroller}>
      <TabsBar>
        {tabs.map(({ name, label, counter, suffix }) => (
          <Tab
            key={name}
            label={label}
            active={name === active}
            counter={counter ?? null}
            {...(suffix && { suffix })}
            onChangeTab={() => onChange(name)}
          />
        ))}
      </TabsBar>
    </div>
  );
}

const scroller = css({
  overflowX: 'auto',
  overflowY: 'hidden',
  scrollbarWidth: 'none',
  position: 'relative',
  '&::-webkit-scrollbar': { display: 'none' },
  '& > *': { minWidth: 'max-content' },
  // Three tabs with counters fit on a phone.
  '@media (max-width: 480px)': { '& [role=tab]': { paddingLeft: 8, paddingRight: 8 } },
});
