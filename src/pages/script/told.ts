/** What the server passes to the script, as attributes of the script element. */
const element = document.querySelector<HTMLElement>('script[data-texts]')

export interface Texts {
  readonly cancel: string
  readonly close: string
  readonly failed: string
  readonly notSaved: string
  readonly again: string
  readonly show: string
  readonly copied: string
}

export const texts: Texts = JSON.parse(element?.dataset.texts ?? '{}')

export const basePath = element?.dataset.base ?? ''

/** `{day} at {time}` */
export const dayAndTime = element?.dataset.dayAndTime ?? '{day} {time}'

export const locale = element?.dataset.locale ?? 'en-GB'

/** The name of the cookie for the browser's zone; undefined if the reader has chosen one. */
export const zoneCookie = element?.dataset.zoneCookie

export const pageZone = element?.dataset.zone ?? 'UTC'
