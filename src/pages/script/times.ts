import { dayAndTime, hasOwnZone, locale, pageZone, zoneCookie } from './told'

const year = 31_536_000

/** Converts times to the browser's zone, unless the reader has chosen one. */
export function putTimesInZone(within: ParentNode = document): void {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
  if (zoneCookie === undefined) return
  tellZone(zone)
  if (hasOwnZone || zone === pageZone) return
  const say = timeWords()
  for (const element of within.querySelectorAll('time')) {
    // A date without a time is the same everywhere.
    if (!element.dateTime.includes('T')) continue
    const at = new Date(element.dateTime)
    element.textContent = 'day' in element.dataset ? say.day(at) : say.moment(at)
    element.title = say.exact(at)
  }
}

/** Also for those who have chosen another one, so that the server knows it when they follow the browser again. */
function tellZone(zone: string): void {
  if (document.cookie.split('; ').includes(`${zoneCookie}=${zone}`)) return
  const secure = location.protocol === 'https:' ? '; Secure' : ''
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser
  document.cookie = `${zoneCookie}=${zone}; Path=/; Max-Age=${year}; SameSite=Lax${secure}`
}

function timeWords() {
  const language = document.documentElement.lang
  const own = navigator.languages.find((one) => one.startsWith(`${language}-`)) ?? locale
  const format = (options: Intl.DateTimeFormatOptions) => {
    const { format } = new Intl.DateTimeFormat(own, options)
    return (at: Date) => format(at)
  }
  const [day, clock] = [format({ dateStyle: 'medium' }), format({ timeStyle: 'short' })]
  const both = format({ dateStyle: 'medium', timeStyle: 'short' })
  const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto' })
  const moment = (at: Date) => {
    const away = dayNumber(at) - dayNumber(new Date())
    if (Math.abs(away) > 1) return both(at)
    return dayAndTime.replace('{day}', relative.format(away, 'day')).replace('{time}', clock(at))
  }
  return { day, moment, exact: format({ dateStyle: 'full', timeStyle: 'long' }) }
}

/** In the reader's calendar, for differences: days do not always have 24 hours. */
const dayNumber = (at: Date) => Date.UTC(at.getFullYear(), at.getMonth(), at.getDate()) / 86_400_000
