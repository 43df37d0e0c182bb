/** What the server tells the script, as attributes of its element. */
const element = document.querySelector<HTMLElement>('script[data-texts]')

export interface Texts {
  readonly cancel: string
  readonly close: string
  readonly failed: string
  readonly notSaved: string
  readonly again: string
  readonly show: string
}

export const texts: Texts = JSON.parse(element?.dataset.texts ?? '{}')

export const basePath = element?.dataset.base ?? ''

/** `{day} at {time}` */
export const dayAndTime = element?.dataset.dayAndTime ?? '{day} {time}'

export const locale = element?.dataset.locale ?? 'en-GB'

/** The cookie for the browser's zone; undefined when the reader has chosen one. */
export const zoneCookie = element?.dataset.zoneCookie

export const pageZone = element?.dataset.zone ?? 'UTC'
