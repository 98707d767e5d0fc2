/** Lines of each icon on a ground of 20 by 20. */
const lines = {
  overview: 'M3 10.5V17h5v-4h4v4h5v-6.5M2 11l8-7.5L18 11',
  jobs: 'M3 5h14M3 10h14M3 15h9',
  flows: 'M3 8h4v4H3zM13 3h4v4h-4zM13 13h4v4h-4zM7 10h3M13 5h-3v10h3',
  studio: 'M3 5h14v10H3zM3 8h14M7 5L5 8M12 5l-2 3M17 5l-2 3M9 10.2v3l2.6-1.5z',
  providers: 'M5 3v5M10 3v5M3 8h9v2.5a4.5 4.5 0 01-9 0zM7.5 15v2H16V9',
  developers: 'M7 6l-4 4 4 4M13 6l4 4-4 4M11.2 4.5l-2.4 11',
  market: 'M3 17V3M3 17h14M6 13l3-4 3 2 4.5-6',
  missions: 'M5 17V3.5M5 4h10l-2.5 3.5L15 11H5',
  bell: 'M4 14.5h12l-1.5-2V9a4.5 4.5 0 10-9 0v3.500zM8.3 17h3.4',
  limits: 'M3 15a7 7 0 1114 0M10 15l3.500-5M3 15h14',
  verify: 'M10 2.5l6.5 2.3v4.4c0 4-2.6 7-6.5 8.3-3.9-1.3-6.5-4.3-6.5-8.3V4.800zM7 10l2.2 2.200L13.2 8',
  check: 'M4 10.5l4 4 8-9',
  out: 'M12 6V3.500H3.500v13H12V14M8 10h9M14 7l3 3-3 3',
  pause: 'M7 4v12M13 4v12',
  play: 'M6 4l10 6-10 6z',
  more: 'M7 4l6 6-6 6',
  close: 'M5 5l10 10M15 5L5 15',
  search: 'M9 15A6 6 0 109 3a6 6 0 000 12zM13.5 13.500L17 17',
  again: 'M16.5 10a6.5 6.5 0 11-2-4.700M17 2.500v4h-4',
  copy: 'M7 7h10v10H7zM4 13H3V3h10v1',
  alert: 'M10 3l8 14H2zM10 8v4M10 14.500v.1',
  clock: 'M10 17.500a7.5 7.5 0 100-15 7.5 7.5 0 000 15zM10 6v4l3 2',
  plus: 'M10 4v12M4 10h12',
  download: 'M10 3v10M6 9.500l4 4 4-4M3 17h14',
  external: 'M11 3h6v6M17 3l-8 8M14 11v6H3V6h6',
  key: 'M12.5 7.500m-4.5 0a4.5 4.5 0 109 0 4.5 4.5 0 10-9 0M9.3 10.700L3 17v.5h3V15h2',
  person: 'M10 10a3.5 3.5 0 100-7 3.5 3.5 0 000 7zM3.5 17c.5-3.5 3-5 6.5-5s6 1.5 6.5 5',
} as const;

export type IconName = keyof typeof lines;

/** A picture beside words; it says nothing by itself. */
export function Icon({ name, size = 16 }: { readonly name: IconName; readonly size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 20 20"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.6"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={lines[name]} />
    </svg>
  );
}
