import { Database } from 'bun:sqlite'
import { pagingFields } from '../src/api/paging'
import { work } from '../src/catalogue/works'
import { databasePath } from '../src/db/open'
import { jsonHeaders } from '../src/http/errors'
import { configOf } from './config'

/**
 * `/v1/works` as a straightforward program would serve it: prepared statements, an object per row, JSON for
 * every answer. No router, validation or log. `bun bench/raw-server.ts DATA`
 */
function main(directory = ''): void {
  const handle = new Database(databasePath(directory), { readonly: true })
  const token = handle.query<{ id: number }, [Uint8Array]>(`
    select tokens.id from tokens join users on users.id = tokens.user_id
    where token_hash = ? and users.disabled_at is null`)
  const stored = new Set(handle.query("select name from pragma_table_info('works')").values().flat())
  // Leaves out what is computed from other tables, so that this would never be a reason for being slower.
  const columns = [...work.columns.keys()].map((name) => (stored.has(name) ? name : `0 as ${name}`))
  const page = handle.query<Readonly<Record<string, unknown>>, [number, number]>(
    `select id, ${columns.join(', ')} from works where hidden = 0 order by id limit ? offset ?`,
  )
  const total = handle.query<{ n: number }, []>('select count(*) as n from works where hidden = 0')
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: (request) => {
      const secret = request.headers.get('authorization')?.slice('Bearer '.length) ?? ''
      const hash = new Bun.CryptoHasher('sha256').update(secret).digest()
      if (token.get(hash) === null) return new Response(null, { status: 401 })
      const query = new URL(request.url).searchParams
      const at = { page: Number(query.get('page') ?? 1), perPage: Number(query.get('per_page') ?? 25) }
      const rows = page.all(at.perPage, (at.page - 1) * at.perPage)
      const works = rows.map((row) => work.present(row, config))
      const body = { works, ...pagingFields(at, total.get()?.n ?? 0) }
      return new Response(JSON.stringify(body), { headers: jsonHeaders })
    },
  })
  console.log(`listening on ${server.url.origin}`)
}

const config = configOf('.')

if (import.meta.main) main(process.argv[2])
