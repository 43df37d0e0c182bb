import type { Read } from '../../db/open'
import type { Tx } from '../../db/write'
import { limits } from '../file/limits'
import { RefusedFile } from '../file/refused-file'
import { openUpload } from '../file/upload'
import { columnsIn, columnsText, type TableColumns } from '../readers/table/columns'
import type { ImportDeps } from './list-import'
import type { ListFile } from './lists'

/** Shapes of tables that are remembered for a user; the one named longest ago is forgotten first. */
export const mostShapes = 20
/** Of a table whose columns can be named, and of their names. */
export const mostColumns = 60
const longestName = 200
/** A table's shape is the names of its columns, in order. */
export interface TableShape {
  readonly id: number
  readonly header: readonly string[]
  readonly columns: TableColumns
}

/** What the user named the columns of the last table with these, if that is known. */
export async function rememberedColumns(
  read: Read,
  userId: number,
  header: readonly string[],
): Promise<TableColumns | undefined> {
  const shape = await read
    .selectFrom('table_shapes') // uses its unique index
    .select('columns')
    .where('user_id', '=', userId)
    .where('header', '=', JSON.stringify(header))
    .executeTakeFirst()
  return shape && columnsIn(shape.columns, header)
}

/** Tables with very many or very long columns are not remembered. */
export async function rememberColumns(
  tx: Tx,
  userId: number,
  { header, columns }: Omit<TableShape, 'id'>,
): Promise<void> {
  if (header.length > mostColumns || header.some((name) => name.length > longestName)) return
  const shape = { user_id: userId, header: JSON.stringify(header) }
  const own = tx.deleteFrom('table_shapes').where('user_id', '=', userId)
  await own.where('header', '=', shape.header).execute()
  await tx
    .insertInto('table_shapes')
    .values({ ...shape, columns: columnsText(columns) })
    .execute()
  await own
    .where('id', 'not in', (query) =>
      query
        .selectFrom('table_shapes')
        .select('id')
        .where('user_id', '=', userId)
        .orderBy('id', 'desc')
        .limit(mostShapes),
    )
    .execute()
}

/** Newest first. */
export async function shapesOf(read: Read, userId: number): Promise<readonly TableShape[]> {
  const shapes = await read
    .selectFrom('table_shapes')
    .select(['id', 'header', 'columns'])
    .where('user_id', '=', userId)
    .orderBy('id', 'desc')
    .limit(mostShapes)
    .execute()
  return shapes.map(({ id, header, columns }) => {
    const names: string[] = JSON.parse(header)
    return { id, header: names, columns: columnsIn(columns, names) ?? { columns: {} } }
  })
}

export const forgetShape = async (tx: Tx, userId: number, id: number): Promise<void> => {
  await tx.deleteFrom('table_shapes').where('user_id', '=', userId).where('id', '=', id).execute()
}

/** Keeps a table until its columns are named, instead of the user's last one. Throws a `RefusedFile` if it is too large. */
export async function keepTable({ write, now }: ImportDeps, userId: number, file: ListFile): Promise<void> {
  const upload = await openUpload(file.path, file.name)
  if (upload.members !== undefined) throw new RefusedFile('unrecognised')
  const pieces: Uint8Array[] = []
  let size = 0
  for await (const piece of upload.file.bytes()) {
    size += piece.length
    if (size > limits.table) throw new RefusedFile('too_large', 'table')
    // The stream may use its buffer again.
    pieces.push(Uint8Array.from(piece))
  }
  const content = await Bun.zstdCompress(Buffer.concat(pieces))
  const row = { file_name: file.name, content, created_at: now() }
  await write((tx) =>
    tx
      .insertInto('waiting_tables')
      .values({ user_id: userId, ...row })
      .onConflict((conflict) => conflict.column('user_id').doUpdateSet(row))
      .execute(),
  )
}

export interface WaitingTable {
  readonly name: string
  readonly content: Uint8Array
}

export async function waitingTable(read: Read, userId: number): Promise<WaitingTable | undefined> {
  const row = await read
    .selectFrom('waiting_tables')
    .select(['file_name', 'content'])
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row && { name: row.file_name, content: await Bun.zstdDecompress(row.content) }
}

export const dropTable = async (tx: Tx, userId: number): Promise<void> => {
  await tx.deleteFrom('waiting_tables').where('user_id', '=', userId).execute()
}

/** Deletes tables whose columns were not named by then. */
export const dropTablesBefore = async ({ write }: Pick<ImportDeps, 'write'>, at: number): Promise<void> => {
  await write((tx) => tx.deleteFrom('waiting_tables').where('created_at', '<', at).execute())
}
