import { settings } from '../config'
import { refuseNetworkFilesystem } from '../db/health/filesystem'
import { giveToOwner, ownerBesideRoot } from '../db/health/owner'
import { nameOfUser } from '../db/users'
import type { CliCall } from './command'

export type CallWithDirectory = Pick<CliCall, 'get' | 'now' | 'note'>

/** Refuses a network filesystem (`config`). Run as root, leaves no files that a server of another user cannot open. */
export async function useDirectory<T>(call: CallWithDirectory, use: () => Promise<T>): Promise<T> {
  const directory = call.get(settings.data)
  if (!call.get(settings.allowNetworkFilesystem)) refuseNetworkFilesystem(directory)
  try {
    return await use()
  } finally {
    // An error from `use` must not be replaced.
    await restoreOwner(call).catch(() => {})
  }
}

export async function restoreOwner({ get, note }: CallWithDirectory): Promise<void> {
  const directory = get(settings.data)
  const owner = ownerBesideRoot(directory)
  if (owner === undefined) return
  const given = giveToOwner(directory, owner)
  if (given.length === 0) return
  const whose = nameOfUser(owner.uid)
  await note(`kiroku runs as root: gave ${given.join(', ')} to ${whose}, whose directory ${directory} is`)
}
