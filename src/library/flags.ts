import { type RawBuilder, sql } from 'kysely'
import { flagParam } from '../api/param-kinds'
import { boolean } from '../api/schema'

export interface ShareFlags {
  readonly share_twitter: boolean | null | undefined
  readonly share_facebook: boolean | null | undefined
}

/** D41. A flag that is not sent (undefined) keeps its value; null clears it (D32). */
export const shareColumns = ({ share_twitter, share_facebook }: ShareFlags) => ({
  share_twitter: flagColumn(share_twitter),
  share_facebook: flagColumn(share_facebook),
})

/** Undefined if it was not sent. */
export const flagColumn = (sent: boolean | null | undefined): number | undefined =>
  sent === undefined ? undefined : Number(sent ?? false)

/** For what is written; without it, as the account's setting says (D72). */
export const privateParam = (what: string) =>
  flagParam(`Extension: whether only the caller sees ${what}; by default, as they have set for new entries`)

export const privateSchema = boolean('Extension: whether only the caller sees it', false)

/** SQL for the mark of a new row: what was sent, or else what its user prefers. */
export const privateOr = (sent: RawBuilder<number | null>, user: RawBuilder<number>): RawBuilder<number> =>
  sql<number>`ifnull(${sent}, (select private_by_default from users where users.id = ${user}))`
