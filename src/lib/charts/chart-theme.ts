/** Colours of series, in the order in which they are taken; told apart by people who see few colours (Okabe and Ito, adapted). */
const series = {
  light: ['#3b5bdb', '#d9730d', '#0c8599', '#ae3ec9', '#5c940d', '#c92a2a', '#495057'],
  dark: ['#748ffc', '#ff922b', '#3bc9db', '#da77f2', '#a9e34b', '#ff8787', '#ced4da'],
};

/** Colours of texts beside a plot, and of the lines of its axes. */
export const themeTones = {
  light: { text: '#5c6470', line: '#e3e6ea' },
  dark: { text: '#9aa3b0', line: '#2a303b' },
} as const;

/** ECharts' own settings for texts, axes and lines, as the rest of the page has them. */
export function chartTheme(scheme: 'light' | 'dark'): object {
  const dark = scheme === 'dark';
  const { text, line } = themeTones[scheme];
  const axis = {
    axisLine: { lineStyle: { color: line } },
    axisTick: { show: false },
    axisLabel: { color: text, fontSize: 11 },
    splitLine: { lineStyle: { color: line } },
    nameTextStyle: { color: text, fontSize: 11 },
  };
  return {
    color: series[scheme],
    backgroundColor: 'transparent',
    textStyle: { fontFamily: 'Inter, system-ui, sans-serif', color: text },
    legend: { textStyle: { color: text, fontSize: 11 }, icon: 'roundRect', itemWidth: 10, itemHeight: 4 },
    tooltip: {
      backgroundColor: dark ? '#1c2129' : '#ffffff',
      borderColor: line,
      textStyle: { color: dark ? '#d5d9e0' : '#1f2329', fontSize: 12 },
    },
    categoryAxis: axis,
    valueAxis: axis,
    timeAxis: axis,
    logAxis: axis,
  };
}
