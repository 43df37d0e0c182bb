import { type Language, type Message, messagesIn } from '../messages/languages'
import type { Letter } from './mail'

export interface LetterText {
  readonly subject: Message
  readonly text: Message
}

export const letterTo = (to: string, language: Language, { subject, text }: LetterText): Letter => ({
  to,
  subject: subject(messagesIn(language)),
  text: `${text(messagesIn(language))}\n`,
})

export const resetLetter = (username: string, url: string): LetterText => ({
  subject: (t) => t.letters.resetSubject,
  text: (t) => t.letters.reset(username, url),
})

export const signUpLetter = (url: string): LetterText => ({
  subject: (t) => t.letters.signUpSubject,
  text: (t) => t.letters.signUp(url),
})

export const alreadySignedUpLetter = (username: string, baseUrl: string): LetterText => ({
  subject: (t) => t.letters.alreadySubject,
  text: (t) => t.letters.already(username, baseUrl),
})

export const emailLetter = (username: string, url: string): LetterText => ({
  subject: (t) => t.letters.emailSubject,
  text: (t) => t.letters.email(username, url),
})

export const addressTakenLetter = (username: string): LetterText => ({
  subject: (t) => t.letters.addressTakenSubject,
  text: (t) => t.letters.addressTaken(username),
})

export const emailChangedLetter = (username: string, baseUrl: string): LetterText => ({
  subject: (t) => t.letters.emailChangedSubject,
  text: (t) => t.letters.emailChanged(username, baseUrl),
})

export const passwordChangedLetter = (username: string, baseUrl: string): LetterText => ({
  subject: (t) => t.letters.passwordChangedSubject,
  text: (t) => t.letters.passwordChanged(username, baseUrl),
})

export const twoStepOnLetter = (username: string, baseUrl: string): LetterText => ({
  subject: (t) => t.letters.twoStepOnSubject,
  text: (t) => t.letters.twoStepOn(username, baseUrl),
})

export const twoStepOffLetter = (username: string, baseUrl: string): LetterText => ({
  subject: (t) => t.letters.twoStepOffSubject,
  text: (t) => t.letters.twoStepOff(username, baseUrl),
})

export const recoveryCodesLetter = (username: string, baseUrl: string): LetterText => ({
  subject: (t) => t.letters.recoveryCodesSubject,
  text: (t) => t.letters.recoveryCodes(username, baseUrl),
})
