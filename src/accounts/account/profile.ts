import type { Read } from '../../db/open'
import type { Write } from '../../db/write'
import { webAddress } from '../../lib/web-address'
import { valid } from '../../values/field-problem'
import { anyText, textUpTo } from '../../values/text'
import { InvalidValue, mapped, orBlank } from '../../values/value'
import { indexNames } from '../name-index'
import { displayName } from './user'

/** `url` is '' for none. */
export interface Profile {
  readonly name: string
  readonly description: string
  readonly url: string
}

export async function profileOf(read: Read, userId: number): Promise<Profile> {
  const { name, description, url } = await read
    .selectFrom('users')
    .select(['name', 'description', 'url'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  return { name, description, url: url ?? '' }
}

/** Throws a `FieldProblem` for a value that breaks a rule (D13, oauth.md §2.5). */
export async function updateProfile(
  { write }: { write: Write },
  userId: number,
  asked: Profile,
): Promise<void> {
  const profile = {
    name: valid('name', displayName, asked.name.normalize('NFC')),
    description: valid('description', aboutText, asked.description),
    url: valid('url', siteAddress, asked.url),
  }
  await write(async (tx) => {
    await tx.updateTable('users').set(profile).where('id', '=', userId).execute()
    await indexNames(tx)
  })
}

const aboutText = textUpTo(500, (t) => t.rules.tooLong(t.rules.aboutYou, 500))

export const siteAddress = orBlank(
  mapped(anyText, (text) => {
    const address = webAddress(text)
    return address !== undefined && address.length <= 500
      ? address
      : new InvalidValue((t) => t.rules.webAddress)
  }),
  null,
)
