import {
  accessSync,
  constants,
  existsSync,
  lstatSync,
  readlinkSync,
  realpathSync,
  type Stats,
  statfsSync,
  statSync,
} from 'node:fs'
import { userInfo } from 'node:os'
import { dirname } from 'node:path'
import { quoted } from '../lib/shell-word'
import { nameOfUser } from './users'

export type FileAccess = 'read' | 'write'

/** Undefined if usable. Never opens the file: closing it would release this process's locks (fcntl(2)). */
export function whyUnusable(path: string, access: FileAccess): string | undefined {
  const unreachable = directoryProblem(dirname(path)) ?? fileProblem(path, access)
  if (unreachable !== undefined || access === 'read') return unreachable
  // SQLite keeps its other files next to the target of a symbolic link.
  const file = existsSync(path) ? realpathSync(path) : path
  return companionProblem(file) ?? writingProblem(dirname(file))
}

function directoryProblem(path: string): string | undefined {
  const found = statOrError(path, statSync)
  if (found instanceof Error) return `its directory ${path} cannot be reached (${codeOf(found)})`
  if (found === undefined) return `its directory ${path} is missing`
  if (!found.isDirectory()) return `${path} is not a directory`
  const denied = accessDenial(path, constants.X_OK)
  return denied && `its directory ${path} cannot be entered: ${denied}`
}

function fileProblem(path: string, access: FileAccess): string | undefined {
  const entry = statOrError(path, lstatSync)
  if (entry instanceof Error) return codeOf(entry)
  if (entry === undefined) return undefined
  const found = statOrError(path, statSync)
  // Deleted in the meantime: some of these files come and go while a server is running.
  if (found === undefined && !entry.isSymbolicLink()) return undefined
  if (found instanceof Error || found === undefined)
    return `it is a symbolic link to ${readlinkSync(path)}, which is not there`
  if (found.isDirectory()) return 'it is a directory'
  if (!found.isFile()) return 'it is not a regular file'
  const unreadable = accessDenial(path, constants.R_OK)
  if (unreadable !== undefined) return `it cannot be read: ${unreadable}${remedyFor(path)}`
  const unwritable = access === 'write' ? accessDenial(path, constants.W_OK) : undefined
  return unwritable === undefined
    ? undefined
    : `it cannot be written: ${unwritable}${unwritable === onReadOnly ? '' : remedyFor(path)}`
}

function companionProblem(path: string): string | undefined {
  const [first] = ['-wal', '-shm', '-journal'].flatMap((suffix) => {
    const why = fileProblem(path + suffix, 'write')
    return why === undefined ? [] : [`${path}${suffix}: ${why}`]
  })
  return first
}

function writingProblem(directory: string): string | undefined {
  const denied = accessDenial(directory, constants.W_OK)
  return (
    denied &&
    `its directory ${directory} cannot be written: ${denied}${denied === onReadOnly ? '' : remedyFor(directory)}`
  )
}

/** The command to run if somebody else owns a file of the data directory, or the directory. */
function remedyFor(path: string): string {
  const { uid, mode } = statSync(path)
  const us = process.geteuid?.()
  if (us === undefined) return ''
  const directory = (mode & constants.S_IFMT) === constants.S_IFDIR ? path : dirname(path)
  return uid === us ? `; chmod u+rw ${quoted(path)}` : `; as root: chown -R ${us} ${quoted(directory)}`
}

export function isFull(directory: string): boolean {
  const { bavail, files, ffree } = statfsSync(directory)
  // Some filesystems report 0 of 0 inodes.
  return bavail === 0 || (files > 0 && ffree === 0)
}

/** No rights change that. */
const onReadOnly = 'the filesystem is mounted read-only'

function accessDenial(path: string, mode: number): string | undefined {
  try {
    accessSync(path, mode)
    return undefined
  } catch (cause) {
    const code = codeOf(cause)
    if (code === 'EROFS') return onReadOnly
    if (code !== 'EACCES') return code
    const { uid, mode: bits } = statSync(path)
    const permissions = (bits & 0o7777).toString(8).padStart(4, '0')
    return `it belongs to ${nameOfUser(uid)} with permissions ${permissions}, and kiroku runs as ${runningAs()}`
  }
}

function statOrError(path: string, stat: (path: string) => Stats): Stats | Error | undefined {
  try {
    return stat(path)
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT') return undefined
    if (/^E[MN]FILE$/.test(codeOf(cause))) throw cause
    return cause instanceof Error ? cause : new Error(String(cause))
  }
}

function runningAs(): string {
  const uid = process.geteuid?.() ?? userInfo().uid
  return nameOfUser(uid)
}

const codeOf = (cause: unknown) =>
  cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause)
