import { emailAddress, holdsPassword, smtpUrl } from '../values/address'
import { mailCommands, tableOption } from './table-option'

export const mail = {
  smtpUrl: tableOption<string | undefined>({
    name: 'smtp-url',
    type: 'URL',
    defaultText: 'no mail is sent',
    defaultValue: undefined,
    sentence: 'The mail server, smtp:// or smtps://; with a password only by variable or file.',
    commands: mailCommands,
    isSecret: holdsPassword,
    isReadFromFile: true,
    value: smtpUrl,
  }),
  mailFrom: tableOption<string | undefined>({
    name: 'mail-from',
    type: 'ADDRESS',
    defaultText: 'kiroku at the host of the base URL',
    defaultValue: undefined,
    sentence: 'The address that mail is sent from.',
    commands: mailCommands,
    value: emailAddress((t) => t.values.email),
  }),
}
