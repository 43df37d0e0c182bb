import { matching } from './text'
import { InvalidValue, mapped } from './value'

const letters = ['h', 'd', 'w', 'm', 'y'] as const

/** For how many hours, days, weeks, months and years, counted back, to keep a backup. */
export type KeepRule = Readonly<Partial<Record<(typeof letters)[number], number>>>

export const keepRuleText = (rule: KeepRule): string =>
  Object.entries(rule)
    .map(([letter, count]) => `${count}${letter}`)
    .join(',')

/** Such as `24h,7d,4w,12m`: each letter once, from 1 to 9999. */
export const keepRule = mapped(
  matching('^[1-9][0-9]{0,3}[hdwmy](,[1-9][0-9]{0,3}[hdwmy]){0,4}$', (t) => t.backups.keepRule),
  (text): KeepRule | InvalidValue => {
    const parts = text.split(',').map((part) => [part.slice(-1), Number(part.slice(0, -1))] as const)
    const rule = Object.fromEntries(parts)
    return Object.keys(rule).length < parts.length ? new InvalidValue((t) => t.backups.keepRule) : rule
  },
)
