// SPDX-License-Identifier: GPL-2.0
/*
 * All-reduce with MPI, as data-parallel training does it in every step: each
 * rank makes a vector, all of them get the sum, each checks every element.
 * Rank 0 prints the time of every step, at last median and p99. The program
 * knows nothing of AF_MRC: README.md says how it is started.
 *
 *	make -C examples
 *	mpirun ... examples/allreduce [STEPS [BYTES]]
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

/* Values stay so small that every sum is exact. */
#define PERIOD	1000

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void report(double *ms, int steps, int ranks, int bytes, int wrong)
{
	qsort(ms, steps, sizeof(*ms), compare);
	printf("ranks %d bytes %d steps %d median_ms %.1f p99_ms %.1f max_ms %.1f %s\n",
	       ranks, bytes, steps, ms[steps / 2],
	       ms[(99 * steps + 99) / 100 - 1], ms[steps - 1],
	       wrong ? "wrong" : "right");
}

/* One step; returns the elements that are wrong. */
static int step(int number, int rank, int ranks, int count, float *in,
		float *out)
{
	float sum = ranks * (ranks + 1) / 2;
	int i, wrong = 0;

	for (i = 0; i < count; i++)
		in[i] = (i + number) % PERIOD * (rank + 1);
	MPI_Allreduce(in, out, count, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
	for (i = 0; i < count; i++)
		wrong += out[i] != (i + number) % PERIOD * sum;
	return wrong;
}

int main(int argc, char **argv)
{
	int steps = argc > 1 ? atoi(argv[1]) : 100;
	int bytes = argc > 2 ? atoi(argv[2]) : 1 << 20;
	int rank, ranks, i, wrong = 0, all = 0;
	float *in, *out;
	double *ms, begin;

	if (steps < 1 || bytes < (int)sizeof(*in)) {
		fprintf(stderr, "usage: allreduce [STEPS [BYTES]]\n");
		return 2;
	}
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	in = malloc(bytes);
	out = malloc(bytes);
	ms = calloc(steps, sizeof(*ms));
	if (!in || !out || !ms)
		MPI_Abort(MPI_COMM_WORLD, 1);
	/* The first one opens the connections. */
	wrong += step(0, rank, ranks, bytes / sizeof(*in), in, out);
	for (i = 0; i < steps; i++) {
		begin = MPI_Wtime();
		wrong += step(i, rank, ranks, bytes / sizeof(*in), in, out);
		ms[i] = (MPI_Wtime() - begin) * 1000;
		if (!rank) {
			printf("step %d %.1f ms\n", i, ms[i]);
			fflush(stdout);
		}
	}
	MPI_Reduce(&wrong, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
	if (!rank)
		report(ms, steps, ranks, bytes, all);
	free(in);
	free(out);
	free(ms);
	MPI_Finalize();
	return wrong != 0;
}
