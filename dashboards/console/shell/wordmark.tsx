import classes from './wordmark.module.css';

export function Wordmark() {
  return (
    <span className={classes['mark']}>
      <svg width="22" height="22" viewBox="0 0 32 32" aria-hidden="true">
        <rect width="32" height="32" rx="8" fill="#3b5bdb" />
        <path
          d="M8 17l5 5 11-12"
          fill="none"
          stroke="#fff"
          strokeWidth="3.5"
          strokeLinecap="round"
          strokeLinejoin="round"
        />
      </svg>
      Proofline
    </span>
  );
}
