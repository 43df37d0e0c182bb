import type { Read } from '../../db/open'
import type { Write } from '../../db/write'
import { webAddress } from '../../lib/web-address'
import { checkName } from './user'
import { UserProblem } from './user-problem'

/** What users say of themselves; an address that is '' is none. */
export interface Profile {
  readonly name: string
  readonly description: string
  readonly url: string
}

/** A user's profile as it is now; the user must be there. */
export async function profileOf(read: Read, userId: number): Promise<Profile> {
  const { name, description, url } = await read
    .selectFrom('users')
    .select(['name', 'description', 'url'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  return { name, description, url: url ?? '' }
}

/** Changes a user's profile. Throws a `UserProblem` for a value that breaks a rule (D13, oauth.md §2.5). */
export async function updateProfile(
  { write }: { write: Write },
  userId: number,
  asked: Profile,
): Promise<void> {
  const name = asked.name.normalize('NFC')
  checkName(name)
  checkDescription(asked.description)
  const profile = { name, description: asked.description, url: addressOf(asked.url) }
  await write((tx) => tx.updateTable('users').set(profile).where('id', '=', userId).execute())
}

function checkDescription(description: string): void {
  if ([...description].length <= 500) return
  throw new UserProblem('usage', 'description', (t) => t.rules.tooLong(t.rules.aboutYou, 500))
}

/** A web address as it is kept, null for none. Throws a `UserProblem` for a text that is none. */
export function addressOf(text: string): string | null {
  if (text === '') return null
  const address = webAddress(text)
  if (address !== undefined && address.length <= 500) return address
  throw new UserProblem('usage', 'url', (t) => t.rules.webAddress)
}
