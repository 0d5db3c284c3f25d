// SPDX-License-Identifier: GPL-2.0
/*
 * MPI in C for selftests/accept: all ranks add vectors of 8 MiB four times,
 * each checks every element. Rank 0 says "sums right" when all of them agree.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define COUNT	1048576
#define ROUNDS	4

static int check_round(int rank, int size, int round, double *in, double *out)
{
	double ranks = size * (size + 1) / 2.0;
	int i, wrong = 0;

	for (i = 0; i < COUNT; i++)
		in[i] = (double)i * (rank + 1) + round;
	MPI_Allreduce(in, out, COUNT, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
	for (i = 0; i < COUNT; i++)
		wrong += out[i] != i * ranks + (double)size * round;
	return wrong;
}

int main(int argc, char **argv)
{
	int rank, size, round, wrong = 0, all = 0;
	double *in, *out;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	in = malloc(COUNT * sizeof(*in));
	out = malloc(COUNT * sizeof(*out));
	if (!in || !out)
		MPI_Abort(MPI_COMM_WORLD, 1);
	for (round = 0; round < ROUNDS; round++)
		wrong += check_round(rank, size, round, in, out);
	MPI_Reduce(&wrong, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
	if (!rank)
		printf("ranks %d sums %s\n", size, all ? "wrong" : "right");
	free(in);
	free(out);
	MPI_Finalize();
	return wrong != 0;
}
