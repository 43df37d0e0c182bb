import { type Language, type Message, messagesIn } from '../messages/languages'
import type { Letter } from './mail'

/** What a letter says, in each language. */
export interface Text {
  readonly subject: Message
  readonly text: Message
}

/** A letter in the language of its reader. */
export const addressed = (to: string, language: Language, { subject, text }: Text): Letter => ({
  to,
  subject: subject(messagesIn(language)),
  text: `${text(messagesIn(language))}\n`,
})

/** A link that lets somebody choose a new password. */
export const resetLetter = (username: string, url: string): Text => ({
  subject: (t) => t.letters.resetSubject,
  text: (t) => t.letters.reset(username, url),
})

/** A link that begins an account. */
export const signUpLetter = (url: string): Text => ({
  subject: (t) => t.letters.signUpSubject,
  text: (t) => t.letters.signUp(url),
})

/** To somebody who has an account and asks for another one. */
export const alreadyLetter = (username: string, baseUrl: string): Text => ({
  subject: (t) => t.letters.alreadySubject,
  text: (t) => t.letters.already(username, baseUrl),
})

/** A link that makes an address that of an account. */
export const emailLetter = (username: string, url: string): Text => ({
  subject: (t) => t.letters.emailSubject,
  text: (t) => t.letters.email(username, url),
})

/** To somebody whose address was to become that of another account. */
export const addressTakenLetter = (username: string): Text => ({
  subject: (t) => t.letters.addressTakenSubject,
  text: (t) => t.letters.addressTaken(username),
})

/** To the address an account had until now. */
export const emailChangedLetter = (username: string, baseUrl: string): Text => ({
  subject: (t) => t.letters.emailChangedSubject,
  text: (t) => t.letters.emailChanged(username, baseUrl),
})

/** To the owner of an account whose password was changed. */
export const passwordChangedLetter = (username: string, baseUrl: string): Text => ({
  subject: (t) => t.letters.passwordChangedSubject,
  text: (t) => t.letters.passwordChanged(username, baseUrl),
})

/** To the owner of an account whose two-step verification was turned on. */
export const twoStepOnLetter = (username: string, baseUrl: string): Text => ({
  subject: (t) => t.letters.twoStepOnSubject,
  text: (t) => t.letters.twoStepOn(username, baseUrl),
})

/** To the owner of an account whose two-step verification was turned off. */
export const twoStepOffLetter = (username: string, baseUrl: string): Text => ({
  subject: (t) => t.letters.twoStepOffSubject,
  text: (t) => t.letters.twoStepOff(username, baseUrl),
})

/** To the owner of an account whose recovery codes were replaced. */
export const recoveryCodesLetter = (username: string, baseUrl: string): Text => ({
  subject: (t) => t.letters.recoveryCodesSubject,
  text: (t) => t.letters.recoveryCodes(username, baseUrl),
})
