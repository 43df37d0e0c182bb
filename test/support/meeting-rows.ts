export type Run = (sql: string, ...values: (string | number)[]) => readonly { readonly id: number }[]

interface Meeting {
  readonly user: number
  readonly other: number
  readonly work: number
  readonly episode: number
}

/** A date of one user, to which another is asked, who says something there. `run` inserts. */
export function addMeeting(run: Run, { user, other, work, episode }: Meeting): void {
  const columns = 'user_id, work_id, begins_at, location, body, is_open, created_at, changed_at'
  const [made] = run(
    `meetings (${columns}) values (?, ?, 1, '部屋', '内緒', 1, 1, 1) returning id`,
    user,
    work,
  )
  const id = made?.id ?? 0
  run('meeting_episodes (meeting_id, episode_id) values (?, ?)', id, episode)
  for (const one of [user, other])
    run("meeting_people (meeting_id, user_id, answer) values (?, ?, 'in')", id, one)
  if (user === other) return
  const told = 'user_id, actor_id, kind, meeting_id, meeting_step, created_at'
  run(`notifications (${told}) values (?, ?, 'meeting', ?, 'asked', 1)`, other, user, id)
  const said = 'user_id, owner_id, meeting_id, body, created_at'
  run(`comments (${said}) values (?, ?, ?, 'そうですね', 1)`, other, user, id)
}
