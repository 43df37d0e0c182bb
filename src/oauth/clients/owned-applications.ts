import type { Read } from '../../db/open'

/** Oldest first. Times are epoch milliseconds, null if never. */
export const listApplications = (read: Read, at: number) => applicationRows(read, at).execute()

export const listOwnApplications = (read: Read, ownerId: number, at: number) =>
  applicationRows(read, at).where('owner_id', '=', ownerId).execute() // uses applications_owner

/** Undefined if the user has no application with that id (AP-01). */
export const findOwnApplication = (read: Read, ownerId: number, id: number, at: number) =>
  applicationRows(read, at)
    .where('owner_id', '=', ownerId)
    .where('applications.id', '=', id)
    .executeTakeFirst()

export type OwnedApplication = NonNullable<Awaited<ReturnType<typeof findOwnApplication>>>

/** When the rotated secret expires (AP-04), in epoch milliseconds; undefined if there is none. */
export async function formerSecretEnds(read: Read, id: number, at: number): Promise<number | undefined> {
  const row = await read
    .selectFrom('client_secrets')
    .select('expires_at')
    .where('application_id', '=', id) // uses client_secrets_application
    .where('expires_at', '>', at)
    .executeTakeFirst()
  return row?.expires_at ?? undefined
}

const applicationRows = (read: Read, at: number) =>
  read
    .selectFrom('applications')
    .innerJoin('users', 'users.id', 'owner_id')
    .select(['applications.id', 'uid', 'applications.name', 'username', 'redirect_uris', 'scope'])
    .select(['is_confidential', 'has_device_grant', 'sends_iss', 'applications.created_at'])
    .select(({ selectFrom }) => [
      selectFrom('tokens')
        .select(({ fn }) => fn.count<number>('user_id').distinct().as('n'))
        .whereRef('application_id', '=', 'applications.id') // uses tokens_application
        .where((is) => is.or([is('expires_at', 'is', null), is('expires_at', '>', at)]))
        .as('users_count'),
      selectFrom('tokens')
        .select(({ fn }) => fn.max('last_used_at').as('at'))
        .whereRef('application_id', '=', 'applications.id') // uses tokens_application
        .as('last_used_at'),
    ])
    .orderBy('applications.id')
