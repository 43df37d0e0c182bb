import type { Messages } from '../messages/en'
import { type Language, type Message, messagesIn } from '../messages/languages'
import type { Letter } from './mail'

export interface LetterText {
  readonly subject: Message
  readonly text: Message
}

/** Signed with the instance's name, if it has one ("-- " is the mark of a signature). */
export const letterTo = (
  to: string,
  language: Language,
  { subject, text }: LetterText,
  signature: string,
): Letter => ({
  to,
  subject: subject(messagesIn(language)),
  text: `${text(messagesIn(language))}\n${signature === '' ? '' : `\n-- \n${signature}\n`}`,
})

type Texts = Messages['letters']
/** The keys of letters; each letter has its subject under another key. */
type LetterName = { [Name in keyof Texts]: Texts[Name] extends string ? never : Name }[keyof Texts]

const letter =
  <Name extends LetterName>(name: Name) =>
  (...values: Parameters<Texts[Name]>): LetterText => ({
    subject: (t) => t.letters[`${name as LetterName}Subject`],
    text: (t) => (t.letters[name] as (...values: Parameters<Texts[Name]>) => string)(...values),
  })

export const resetLetter = letter('reset')
export const signUpLetter = letter('signUp')
export const joinRequestedLetter = letter('joinRequested')
export const joinAcceptedLetter = letter('joinAccepted')
export const joinDeclinedLetter = letter('joinDeclined')
export const alreadySignedUpLetter = letter('already')
export const emailLetter = letter('email')
export const addressTakenLetter = letter('addressTaken')
export const emailChangedLetter = letter('emailChanged')
export const identityConnectedLetter = letter('identityConnected')
export const identityDisconnectedLetter = letter('identityDisconnected')
export const passwordChangedLetter = letter('passwordChanged')
export const passwordRemovedLetter = letter('passwordRemoved')

/** Of one passkey, by its name. */
const ofPasskey =
  (name: 'passkeyAdded' | 'passkeyRemoved' | 'passkeyCopied') =>
  (passkey: string) =>
  (username: string, baseUrl: string): LetterText =>
    letter(name)(username, baseUrl, passkey)

export const passkeyAddedLetter = ofPasskey('passkeyAdded')
export const passkeyRemovedLetter = ofPasskey('passkeyRemoved')
export const passkeyCopiedLetter = ofPasskey('passkeyCopied')
export const twoStepOnLetter = letter('twoStepOn')
export const twoStepOffLetter = letter('twoStepOff')
export const recoveryCodesLetter = letter('recoveryCodes')
