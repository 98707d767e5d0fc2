import { Icon, type IconName } from '#console/ui/icon.tsx';
import classes from './areas.module.css';
import type { Area } from './studio-types.ts';
import { areaWords } from './words.ts';

const icons: Readonly<Record<Area['area'], IconName>> = {
  liveProviderSpend: 'providers',
  publishing: 'external',
  voiceAndLikeness: 'person',
  commercialClaims: 'alert',
};

/** Decisions on these take a proof of personhood besides the sign-in. */
const needProof: ReadonlySet<Area['area']> = new Set(['publishing', 'voiceAndLikeness']);

/** The areas of governance that something touches, and why. */
export function Areas({ areas }: { readonly areas: readonly Area[] }) {
  return (
    <ul className={classes['areas']}>
      {areas.map(({ area, why }) => (
        <li key={area}>
          <Icon name={icons[area]} size={15} />
          <div>
            <span className={classes['name']}>{areaWords[area]}</span>
            {needProof.has(area) && <span className={classes['proof']}>takes a proof of personhood</span>}
            <div className={classes['why']}>{why}</div>
          </div>
        </li>
      ))}
    </ul>
  );
}
