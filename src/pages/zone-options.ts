import { wallClock } from '../lib/local-time'
import { html, type Markup } from './html'

/** Time zones for a `<select>`, by region, with the current offset; `chosen` may be ''. `now`: epoch milliseconds. */
export const zoneOptions = (now: number, chosen: string): readonly Markup[] =>
  regionsAt(now).map(
    ([region, zones]) =>
      html`<optgroup label="${region}">${zones.map(({ name, label }) => {
        const flag = name === chosen ? html` selected` : ''
        return html`<option value="${name}"${flag}>${label}</option>`
      })}</optgroup>`,
  )

interface NamedZone {
  readonly name: string
  readonly label: string
}

type Regions = readonly (readonly [string, readonly NamedZone[]])[]

// Listing some 420 zones takes 12 ms, and their offsets rarely change.
const hour = 3_600_000
let known: { readonly until: number; readonly regions: Regions } = { until: 0, regions: [] }

function regionsAt(now: number): Regions {
  if (now >= known.until) known = { until: now + hour, regions: regionsNow(now) }
  return known.regions
}

function regionsNow(now: number): Regions {
  const names = [...Intl.supportedValuesOf('timeZone'), 'UTC']
  const byRegion = Map.groupBy(new Set(names), (name) => (name.includes('/') ? name.split('/', 1)[0] : 'UTC'))
  return [...byRegion].map(([region = '', zones]) => [region, zones.map((name) => named(name, now))])
}

/** `Asia/Tokyo` → `Tokyo (UTC+9)` */
function named(name: string, now: number): NamedZone {
  return { name, label: `${cityOf(name)} (${offsetAt(name, now)})` }
}

/** `America/Argentina/Buenos_Aires` → `Argentina, Buenos Aires` */
export const cityOf = (zone: string): string =>
  (zone.includes('/') ? zone.slice(zone.indexOf('/') + 1) : zone).replaceAll('/', ', ').replaceAll('_', ' ')

function offsetAt(zone: string, now: number): string {
  const whole = now - (now % 60_000)
  const minutes = Math.round((wallClock(whole, zone) - whole) / 60_000)
  const size = Math.abs(minutes)
  const rest = size % 60 === 0 ? '' : `:${String(size % 60).padStart(2, '0')}`
  return minutes === 0 ? 'UTC' : `UTC${minutes < 0 ? '−' : '+'}${Math.floor(size / 60)}${rest}`
}
