// The only spelling of a barrier: shared memory written before it is seen by the whole group after it.
void wg_sync() {
    memoryBarrierShared();
    barrier();
}
