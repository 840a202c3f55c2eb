/** Whether the work, which must not fail, ended within the time. */
export async function within(work: Promise<void>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  const isInTime = await Promise.race([work.then(() => true), late]);
  clearTimeout(timer);
  return isInTime;
}
