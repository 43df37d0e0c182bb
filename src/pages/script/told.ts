import { type TextName, textNames } from './text-names'

/** What the server passes to the script, as attributes of the script element. */
const element = document.querySelector<HTMLElement>('script[data-texts]')

type Texts = Readonly<Record<TextName, string>>

const told = (element?.dataset.texts ?? '').split('|')

export const texts = Object.fromEntries(textNames.map((name, at) => [name, told[at] ?? ''])) as Texts

export const basePath = element?.dataset.base ?? ''

/** `{day} at {time}` */
export const dayAndTime = element?.dataset.dayAndTime ?? '{day} {time}'

export const locale = element?.dataset.locale ?? 'en-GB'

/** The name of the cookie for the browser's zone. */
export const zoneCookie = element?.dataset.zoneCookie

/** Whether the reader has chosen a zone. */
export const hasOwnZone = element?.dataset.ownZone !== undefined

export const pageZone = element?.dataset.zone ?? 'UTC'

/** The id of the person whom the page is for; undefined for visitors. */
export const me = document.documentElement.dataset.user

/** Whether there is a worker to register. */
export const hasWorker = element?.dataset.worker !== undefined

/** When this page was kept on the device, if it is such a copy: epoch milliseconds. */
export const keptAt = document.documentElement.dataset.kept

/** A time of day, as the reader writes it; with its date, if `dateStyle` says how. */
export const clock = (at: Date, dateStyle?: 'medium'): string => {
  const zone = hasOwnZone && { timeZone: pageZone }
  return new Intl.DateTimeFormat(locale, { dateStyle, timeStyle: 'short', ...zone }).format(at)
}
